import type { Anthropic } from "@anthropic-ai/sdk";
import type { ProviderOptions } from "../provider-options.js";

export interface AnthropicModelOptions extends ProviderOptions {
  /** For example `claude-sonnet-4-6`. */
  readonly model: string;
  /**
   * @default `ANTHROPIC_API_KEY` of the environment; none with a `baseURL`, so that no other
   * server receives that key
   */
  readonly apiKey?: string | undefined;
  /** The URL of a compatible server. @default Anthropic's API */
  readonly baseURL?: string | undefined;
  /** Your own client. `apiKey` and `baseURL` are then ignored. @default a new client */
  readonly client?: Anthropic | undefined;
  /** Maximum number of output tokens per turn. The API requires this value. @default 16_000 */
  readonly maxOutputTokens?: number | undefined;
  /** Whether and how long the model thinks before it answers. @default the model's default */
  readonly thinking?: Anthropic.ThinkingConfigParam | undefined;
  /** How much effort the model spends on an answer. @default the model's default */
  readonly effort?: NonNullable<Anthropic.OutputConfig["effort"]> | undefined;
  /** Whether instructions and conversation are marked for the provider's cache. @default true */
  readonly promptCaching?: boolean | undefined;
  /** Additional fields of the request body. They override all others. @default none */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

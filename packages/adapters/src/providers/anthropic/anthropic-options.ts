import type { Anthropic } from "@anthropic-ai/sdk";
import type { ProviderOptions } from "../provider-options.js";

export interface AnthropicModelOptions extends ProviderOptions {
  /** Such as `claude-sonnet-4-6`. */
  readonly model: string;
  /** @default `ANTHROPIC_API_KEY` of the environment; none with a `baseURL`, so that no other server is sent that key */
  readonly apiKey?: string | undefined;
  /** The address of a compatible server. @default Anthropic's own */
  readonly baseURL?: string | undefined;
  /** A client of your own; `apiKey` and `baseURL` are then not looked at. @default one is made */
  readonly client?: Anthropic | undefined;
  /** Most tokens of one turn, which this API must be told. @default 16_000 */
  readonly maxOutputTokens?: number | undefined;
  /** Whether and how long the model thinks before it answers. @default the model's own */
  readonly thinking?: Anthropic.ThinkingConfigParam | undefined;
  /** How much the model spends on an answer. @default the model's own */
  readonly effort?: NonNullable<Anthropic.OutputConfig["effort"]> | undefined;
  /** Whether instructions and conversation are marked for the provider's cache. @default true */
  readonly promptCaching?: boolean | undefined;
  /** More fields of the request, as the API has them. They win over everything else. @default none */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

import type { Anthropic } from "@anthropic-ai/sdk";
import { COMMON_OPTIONS, type ProviderOptions } from "../provider-options.js";

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
  /** How long the provider caches the marked blocks. @default the provider's default, 5 minutes */
  readonly cacheTtl?: "5m" | "1h" | undefined;
  /**
   * Whether the provider enforces the input schemas of tools, where they fit. The API limits how many tools and optional
   * fields may be strict in one request. @default false
   */
  readonly strictTools?: boolean | undefined;
  /** Features in beta to turn on, such as `context-1m-2025-08-07`. @default none */
  readonly betas?: readonly string[] | undefined;
  /** @default the model's default */
  readonly temperature?: number | undefined;
  /** Whether the request may use reserved capacity. @default the provider's default */
  readonly serviceTier?: "auto" | "standard_only" | undefined;
  /**
   * Additional fields of the request body, merged at every depth. They override all others, except that their `tools` are
   * added to those of the prompt, and that the schema of the answer stays. @default none
   */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/** The names of {@link AnthropicModelOptions}. */
export const ANTHROPIC_OPTIONS: readonly string[] = [
  ...COMMON_OPTIONS,
  ...["model", "apiKey", "baseURL", "client", "thinking", "effort", "promptCaching"],
  ...["cacheTtl", "strictTools", "betas", "temperature", "serviceTier", "extraBody"],
];

import type { OpenAI } from "openai";
import { COMMON_OPTIONS, type ProviderOptions } from "../provider-options.js";

export interface OpenAIModelOptions extends ProviderOptions {
  /** For example `gpt-5.1`. */
  readonly model: string;
  /** Which API to use. Most compatible servers support only `chat`. @default "responses" */
  readonly api?: "responses" | "chat" | undefined;
  /**
   * @default `OPENAI_API_KEY` of the environment; none with a `baseURL`, so that no other server
   * receives that key
   */
  readonly apiKey?: string | undefined;
  /** The URL of a compatible server, such as `http://localhost:11434/v1`. @default OpenAI's API */
  readonly baseURL?: string | undefined;
  /**
   * Your own client, such as `AzureOpenAI`. `apiKey` and `baseURL` are then ignored. @default a
   * new client
   */
  readonly client?: OpenAI | undefined;
  /**
   * How long a reasoning model thinks, and what it reports about it. @default the model's default
   */
  readonly reasoning?: OpenAI.Reasoning | undefined;
  /** @default the model's default */
  readonly temperature?: number | undefined;
  /**
   * Whether OpenAI stores the responses. Only for the responses API. @default OpenAI's default,
   * which is true
   */
  readonly store?: boolean | undefined;
  /** How fast and at which price requests are served. @default the project's setting */
  readonly serviceTier?: "auto" | "default" | "flex" | "priority" | undefined;
  /**
   * Additional fields of the request body, merged at every depth. They override all others, except that their `tools` are
   * added to those of the prompt, and that the schema of the answer stays. @default none
   */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

/** The names of {@link OpenAIModelOptions}. */
export const OPENAI_OPTIONS: readonly string[] = [
  ...COMMON_OPTIONS,
  ...["model", "api", "apiKey", "baseURL", "client", "reasoning", "temperature", "store"],
  ...["serviceTier", "extraBody"],
];

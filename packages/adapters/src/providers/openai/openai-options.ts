import type { OpenAI } from "openai";
import type { ProviderOptions } from "../provider-options.js";

export interface OpenAIModelOptions extends ProviderOptions {
  /** Such as `gpt-5.1`. */
  readonly model: string;
  /**
   * Which API is spoken. Servers that call themselves compatible mostly know `chat` alone.
   * @default "responses"
   */
  readonly api?: "responses" | "chat" | undefined;
  /** @default `OPENAI_API_KEY` of the environment; none with a `baseURL`, so that no other server is sent that key */
  readonly apiKey?: string | undefined;
  /** The address of a compatible server, such as `http://localhost:11434/v1`. @default OpenAI's own */
  readonly baseURL?: string | undefined;
  /** A client of your own, such as `AzureOpenAI`; `apiKey` and `baseURL` are then not looked at. @default one is made */
  readonly client?: OpenAI | undefined;
  /** How long a reasoning model thinks, and what it tells of it. @default the model's own */
  readonly reasoning?: OpenAI.Reasoning | undefined;
  /** @default the model's own */
  readonly temperature?: number | undefined;
  /** Whether OpenAI keeps the answers; for the responses API. @default OpenAI's own, which is true */
  readonly store?: boolean | undefined;
  /** More fields of the request, as the API has them. They win over everything else. @default none */
  readonly extraBody?: Readonly<Record<string, unknown>> | undefined;
}

import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import { OpenAI } from "openai";
import type { ModelClient } from "../runtime/loop/model-client.js";
import { AiSdkModel } from "./ai-sdk/ai-sdk-model.js";
import { AnthropicModel } from "./anthropic/anthropic-model.js";
import { OpenAIModel } from "./openai/openai-model.js";
import type { ProviderOptions } from "./provider-options.js";

export const KEY = "sk-test-0123456789abcdef";

export interface ProviderRow {
  readonly row: string;
  /** The API to use. */
  readonly api: "responses" | "chat" | "messages";
  /** The model to use if the test does not name one. */
  model(url: string, options?: ProviderOptions & { readonly model?: string }): ModelClient;
}

/** Every way to request a model over HTTP. */
export const ROWS: readonly ProviderRow[] = [
  {
    row: "openai responses",
    api: "responses",
    model: (url, options) =>
      new OpenAIModel({ model: "gpt-4o", apiKey: KEY, baseURL: `${url}/v1`, ...options }),
  },
  {
    row: "openai chat",
    api: "chat",
    model: (url, options) => {
      const client = new OpenAI({ apiKey: KEY, baseURL: `${url}/v1`, logLevel: "off" });
      return new OpenAIModel({ model: "gpt-4o", api: "chat", client, ...options });
    },
  },
  {
    row: "compatible server",
    api: "chat",
    model: (url, options) =>
      new OpenAIModel({ model: "llama", api: "chat", baseURL: `${url}/v1`, ...options }),
  },
  {
    row: "anthropic",
    api: "messages",
    model: (url, options) =>
      new AnthropicModel({ model: "claude-sonnet-4-6", apiKey: KEY, baseURL: url, ...options }),
  },
  {
    row: "ai-sdk openai",
    api: "responses",
    model: (url, { model = "gpt-4o", ...options } = {}) => {
      const openai = createOpenAI({ apiKey: KEY, baseURL: `${url}/v1` });
      return new AiSdkModel({ model: openai(model), ...options });
    },
  },
  {
    row: "ai-sdk anthropic",
    api: "messages",
    model: (url, { model = "claude-sonnet-4-6", ...options } = {}) => {
      const anthropic = createAnthropic({ apiKey: KEY, baseURL: `${url}/v1` });
      return new AiSdkModel({ model: anthropic(model), ...options });
    },
  },
];

import { Anthropic } from "@anthropic-ai/sdk";
import { OpenAI } from "openai";
import type { ModelClient, ModelMessage, ModelTurn } from "../runtime/loop/model-client.js";
import type { AiSdkLanguageModel } from "./ai-sdk/ai-sdk-options.js";
import { AnthropicModel } from "./anthropic/anthropic-model.js";
import { OpenAIModel } from "./openai/openai-model.js";

type Events = readonly Readonly<Record<string, unknown>>[];

export const REQUEST = { instructions: "Do.", tools: [], messages: [], outputSchema: null };

export function ask(
  client: ModelClient,
  conversation: readonly ModelMessage[] = [],
): Promise<ModelTurn> {
  const { signal } = new AbortController();
  return client.ask({ ...REQUEST, messages: conversation }, { signal, onText: () => {} });
}

/** The providers' real clients with a canned response instead of a network. */
export function responses(events: Events): ModelClient {
  return new OpenAIModel({
    model: "x",
    client: new OpenAI({ apiKey: "x", fetch: respondWith(events) }),
  });
}

export function chat(events: Events): ModelClient {
  const client = new OpenAI({ apiKey: "x", fetch: respondWith(events) });
  return new OpenAIModel({ model: "x", api: "chat", client });
}

export function messages(events: Events): ModelClient {
  const client = new Anthropic({ apiKey: "x", fetch: respondWith(events) });
  return new AnthropicModel({ model: "x", client });
}

function respondWith(events: Events): () => Promise<Response> {
  const lines = events.map(
    (event) => `event: ${String(event["type"] ?? "message")}\ndata: ${JSON.stringify(event)}\n\n`,
  );
  const headers = { "content-type": "text/event-stream" };
  return async () => new Response(lines.join(""), { headers });
}

export function languageModel(parts: Events, specificationVersion = "v3") {
  const calls: { prompt: readonly unknown[] }[] = [];
  const model: AiSdkLanguageModel = {
    ...{ specificationVersion, provider: "test", modelId: "x" },
    doStream: async (options) => {
      calls.push(options);
      const stream = new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          controller.close();
        },
      });
      return { stream };
    },
  };
  return { model, calls };
}

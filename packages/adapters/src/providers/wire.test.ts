import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { ModelAdapter } from "../runtime/loop/model-adapter.js";
import { DisturbedServer, type Script } from "./aimock.test.support.js";
import { AnthropicModel } from "./anthropic/anthropic-model.js";
import { OpenAIModel } from "./openai/openai-model.js";
import type { OpenAIModelOptions } from "./openai/openai-options.js";
import { KEY, type ProviderRow, ROWS } from "./rows.test.support.js";
import { ANSWER, answersIn, PIXEL, writer, writesTwoFiles } from "./writer.test.support.js";

let server: DisturbedServer;
beforeAll(async () => {
  server = await DisturbedServer.start(writesTwoFiles);
});
afterAll(() => server.stop());
beforeEach(() => {
  server.script = writesTwoFiles;
  server.requests.length = 0;
});
afterEach(() => vi.unstubAllEnvs());

const IMAGE_URL = `data:image/png;base64,${PIXEL}`;

/** The complete form in which each API receives an image. */
const SHOWN: Readonly<Record<ProviderRow["api"], unknown>> = {
  responses: { type: "input_image", image_url: IMAGE_URL },
  chat: { type: "image_url", image_url: { url: IMAGE_URL } },
  messages: { type: "image", source: { type: "base64", media_type: "image/png", data: PIXEL } },
};

describe.each(ROWS)("$row", ({ api, model }) => {
  it("sends the images of a result to the model (AD-26)", async () => {
    server.script = looksOnce;
    await writer().run(new ModelAdapter(model(server.url)));
    const body = server.requests[1]?.body ?? {};
    const messages = (api === "responses" ? body["input"] : body["messages"]) as readonly unknown[];
    const last = JSON.stringify(messages.at(-1));
    expect(last).toContain(JSON.stringify(SHOWN[api]).slice(1, -1));
    expect(JSON.stringify(messages)).toContain("One dot.");
  });

  it("requests output in the form of the schema (AD-25)", async () => {
    await writer().run(new ModelAdapter(model(server.url)));
    const [first] = server.requests;
    // The schema has an optional field, so strict modes that require all fields cannot be used.
    const formats: Readonly<Record<ProviderRow["api"], unknown>> = {
      responses: { text: { format: { type: "json_schema", name: "output", strict: false } } },
      chat: { response_format: { type: "json_schema", json_schema: { strict: false } } },
      messages: { output_config: { format: { type: "json_schema" } } },
    };
    expect(first?.body).toMatchObject(formats[api] as object);
  });

  it("writes the schema into the instructions with outputFormat: instructions (AD-25)", async () => {
    const options = { outputFormat: "instructions" } as const;
    await writer().run(new ModelAdapter(model(server.url, options)));
    const body = server.requests[0]?.body ?? {};
    expect(JSON.stringify(body["instructions"] ?? body["system"] ?? body)).toContain(
      "one JSON value that fits this JSON Schema",
    );
    expect(body).not.toHaveProperty("text.format");
    expect(body).not.toHaveProperty("response_format");
    expect(body).not.toHaveProperty("output_config.format");
  });
});

describe.each(ROWS.filter(({ api }) => api === "messages"))("$row", ({ model }) => {
  it("sends signed reasoning back unchanged and at its position (AD-25)", async () => {
    server.script = thinks({ reasoning: "Let me think.", reasoningSignature: "c2lnbmVk" });
    await writer().run(new ModelAdapter(model(server.url)));
    const messages = server.requests[1]?.body["messages"] as readonly unknown[];
    expect(messages[1]).toMatchObject({
      role: "assistant",
      content: [
        { type: "thinking", thinking: "Let me think.", signature: "c2lnbmVk" },
        { type: "tool_use", id: "call_1", name: "put" },
      ],
    });
  });
});

describe("OpenAI", () => {
  const ask = (options: Partial<OpenAIModelOptions>) =>
    writer().run(
      new ModelAdapter(
        new OpenAIModel({ model: "gpt-5", apiKey: KEY, baseURL: `${server.url}/v1`, ...options }),
      ),
    );

  it("sends reasoning back as the original items (AD-25)", async () => {
    server.script = thinks({ reasoning: "Let me think." });
    await ask({});
    const input = server.requests[1]?.body["input"] as readonly { type?: string }[];
    expect(input.map(({ type }) => type)).toEqual([
      ...[undefined, "reasoning", "function_call", "function_call_output"],
    ]);
    expect(input[1]).toMatchObject({ summary: [{ text: "Let me think." }] });
  });

  it("sends encrypted reasoning back if nothing is stored (AD-25)", async () => {
    server.script = thinks({ reasoning: "Let me think." });
    await ask({ store: false, reasoning: { effort: "low" } });
    const [first, second] = server.requests.map(({ body }) => body);
    expect(first).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
    expect(second?.["input"]).toContainEqual(
      expect.objectContaining({ type: "reasoning", encrypted_content: expect.any(String) }),
    );
  });

  it("sends the given options, and uses strict mode for supported tool schemas (AD-25)", async () => {
    await ask({ temperature: 0.5, maxOutputTokens: 100, extraBody: { service_tier: "flex" } });
    expect(server.requests[0]?.body).toMatchObject({
      ...{ temperature: 0.5, max_output_tokens: 100, service_tier: "flex", stream: true },
      tools: [
        { name: "put", strict: true },
        { name: "look", strict: false },
      ],
    });
  });

  it.each(["responses", "chat"] as const)(
    "never sends the key of the environment to other servers: %s (AD-24)",
    async (api) => {
      vi.stubEnv("OPENAI_API_KEY", KEY);
      await ask({ api, apiKey: undefined });
      expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain(KEY);
    },
  );

  it("reports a missing key (AD-24)", async () => {
    vi.stubEnv("OPENAI_API_KEY", undefined);
    await expect(ask({ apiKey: undefined, baseURL: undefined })).rejects.toMatchObject({
      code: "UNAUTHORIZED",
      message: "model: the API key is missing. Pass it as `apiKey`.",
    });
  });

  it.each(["\n", "€"])(
    "does not repeat a key that cannot be sent: with %j (AD-24)",
    async (end) => {
      const error = await ask({ apiKey: `${KEY}${end}x` }).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({ code: "UNAUTHORIZED" });
      expect(error).not.toHaveProperty("cause");
      expect(String(error)).not.toContain(KEY);
    },
  );
});

describe("Anthropic", () => {
  const ask = (options: { promptCaching?: boolean; apiKey?: string } = {}) =>
    writer().run(
      new ModelAdapter(
        new AnthropicModel({ model: "claude-sonnet-4-6", baseURL: server.url, ...options }),
      ),
    );
  const mark = { cache_control: { type: "ephemeral" } };

  it("marks the instructions and the last two ends of the conversation for the cache (AD-25)", async () => {
    await ask({ apiKey: KEY });
    const { system, messages } = server.requests[1]?.body ?? {};
    expect(system).toEqual([{ type: "text", text: expect.any(String), ...mark }]);
    expect(messages).toMatchObject([
      { role: "user", content: [{ type: "text", text: "Begin.", ...mark }] },
      { role: "assistant" },
      {
        role: "user",
        content: [{ tool_use_id: "call_a" }, { tool_use_id: "call_b", ...mark }],
      },
    ]);
    expect(JSON.stringify(messages).match(/cache_control/g)?.length).toBe(2);
  });

  it("marks nothing with promptCaching: false (AD-25)", async () => {
    await ask({ promptCaching: false });
    expect(JSON.stringify(server.requests)).not.toContain("cache_control");
  });

  it("never sends the key of the environment to other servers (AD-24)", async () => {
    vi.stubEnv("ANTHROPIC_API_KEY", KEY);
    await ask();
    expect(JSON.stringify(server.requests.map(({ headers }) => headers))).not.toContain(KEY);
  });
});

const looksOnce: Script = (request) =>
  answersIn(request) === 0
    ? { toolCalls: [{ id: "call_1", name: "look", arguments: "{}" }] }
    : { content: ANSWER };

function thinks(thoughts: {
  readonly reasoning: string;
  readonly reasoningSignature?: string;
}): Script {
  const call = { id: "call_1", name: "put", arguments: '{"path":"a.txt","text":"x"}' };
  return (request) =>
    answersIn(request) === 0 ? { toolCalls: [call], ...thoughts } : { content: ANSWER };
}

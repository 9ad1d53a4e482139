import type { IncomingHttpHeaders } from "node:http";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ModelClient, ModelMessage, ModelTurn } from "../runtime/loop/model-client.js";
import { costOf } from "../runtime/loop/model-prices.js";
import { AiSdkModel } from "./ai-sdk/ai-sdk-model.js";
import { AnthropicModel } from "./anthropic/anthropic-model.js";
import type { AnthropicModelOptions } from "./anthropic/anthropic-options.js";
import { languageModel, REQUEST } from "./canned-responses.test.support.js";
import { OpenAIModel } from "./openai/openai-model.js";
import type { OpenAIModelOptions } from "./openai/openai-options.js";
import { type Json, type StreamedTest, StreamServer } from "./stream-server.test.support.js";

const TOOL = { name: "look", description: "Looks.", inputSchema: { type: "object" } } as const;
const SCHEMA = { type: "object", properties: { a: { type: "string" } }, required: ["a"] } as const;

const server = new StreamServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

/** The real client of a provider, and a server that answers every request with the same events. */
class Wire {
  readonly thoughts: string[] = [];
  readonly #test: StreamedTest;

  constructor(events: readonly Json[]) {
    this.#test = server.answer(events);
  }

  get bodies(): readonly Json[] {
    return this.#test.requests.map(({ body }) => body);
  }

  get headers(): readonly IncomingHttpHeaders[] {
    return this.#test.requests.map(({ headers }) => headers);
  }

  anthropic(options: Partial<AnthropicModelOptions> = {}): ModelClient {
    return new AnthropicModel({ model: "x", apiKey: "x", baseURL: this.#test.url, ...options });
  }

  openai(options: Partial<OpenAIModelOptions> = {}): ModelClient {
    return new OpenAIModel({ model: "x", apiKey: "x", baseURL: this.#test.url, ...options });
  }

  /** Asks for a turn, sends it back, and returns it with the body of the second request. */
  async twice(client: ModelClient): Promise<{ readonly turn: ModelTurn; readonly back: Json }> {
    const turn = await this.ask(client);
    const { text, toolCalls, providerData } = turn;
    const results = toolCalls.map(({ toolCallId, toolName }) => {
      return { role: "tool", toolCallId, toolName, text: "Seen.", success: true } as const;
    });
    await this.ask(client, [{ role: "assistant", text, toolCalls, providerData }, ...results]);
    return { turn, back: this.bodies[1] ?? {} };
  }

  ask(client: ModelClient, messages: readonly ModelMessage[] = []): Promise<ModelTurn> {
    return client.ask(
      { ...REQUEST, tools: [TOOL], messages, outputSchema: SCHEMA },
      {
        signal: new AbortController().signal,
        onText: () => {},
        onThought: (text) => this.thoughts.push(text),
      },
    );
  }
}

/** The blocks of the answer that was sent back. */
function sentBack(body: Json, role = "assistant"): readonly Json[] {
  const messages = (body["messages"] ?? body["input"]) as readonly Json[];
  return messages.filter((message) => message["role"] === role || message["role"] === undefined);
}

// The streams follow https://platform.claude.com/docs/en/build-with-claude/streaming and the pages of each tool there.
describe("Anthropic", () => {
  const begin = (usage: Json = {}) => ({
    type: "message_start",
    message: { id: "msg_1", model: "claude-x-20260101", usage },
  });
  const block = (index: number, content_block: Json, ...deltas: readonly Json[]) => [
    { type: "content_block_start", index, content_block },
    ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
    { type: "content_block_stop", index },
  ];
  const end = (stop_reason: string) => [
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 4 } },
    { type: "message_stop" },
  ];
  const searched = [
    begin(),
    ...block(
      0,
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: {} },
      { type: "input_json_delta", partial_json: '{"query":' },
      { type: "input_json_delta", partial_json: '"weather"}' },
    ),
    ...block(1, {
      type: "web_search_tool_result",
      tool_use_id: "srvtoolu_1",
      content: [{ type: "web_search_result", url: "https://a.example", encrypted_content: "E==" }],
    }),
    ...block(
      2,
      { type: "text", text: "", citations: [] },
      { type: "text_delta", text: "Sunny." },
      {
        type: "citations_delta",
        citation: {
          type: "web_search_result_location",
          url: "https://a.example",
          title: "A",
          encrypted_index: "I==",
        },
      },
    ),
  ];

  it("sends server tools, their results and citations back unchanged (AD-80)", async () => {
    const wire = new Wire([...searched, ...end("end_turn")]);
    const { turn, back } = await wire.twice(wire.anthropic());
    expect(turn).toMatchObject({
      text: "Sunny.",
      toolCalls: [],
      responseId: "msg_1",
      model: "claude-x-20260101",
      sources: [{ url: "https://a.example", title: "A" }],
    });
    const [message] = sentBack(back);
    expect(message?.["content"]).toMatchObject([
      { type: "server_tool_use", id: "srvtoolu_1", input: { query: "weather" } },
      { type: "web_search_tool_result", content: [{ encrypted_content: "E==" }] },
      { type: "text", text: "Sunny.", citations: [{ encrypted_index: "I==" }] },
    ]);
  });

  it("keeps a block of an unknown kind and sends it back unchanged (AD-80)", async () => {
    const wire = new Wire([
      begin(),
      ...block(
        0,
        { type: "compaction", content: "" },
        { type: "compaction_delta", content: "So far: " },
        { type: "compaction_delta", content: "nothing." },
      ),
      ...block(1, { type: "hologram", frames: [1, 2] }),
      ...block(2, { type: "text", text: "" }, { type: "text_delta", text: "Hi." }),
      ...end("end_turn"),
    ]);
    const { back } = await wire.twice(wire.anthropic());
    expect(sentBack(back)[0]?.["content"]).toMatchObject([
      { type: "compaction", content: "So far: nothing." },
      { type: "hologram", frames: [1, 2] },
      { type: "text", text: "Hi." },
    ]);
  });

  it("reports a paused turn, which continues with the same blocks (AD-81)", async () => {
    const wire = new Wire([...searched, ...end("pause_turn")]);
    const { turn, back } = await wire.twice(wire.anthropic());
    expect(turn.stopReason).toBe("paused");
    expect(sentBack(back)).toHaveLength(1);
  });

  it("streams and reports thoughts (AD-82)", async () => {
    const wire = new Wire([
      begin(),
      ...block(
        0,
        { type: "thinking", thinking: "", signature: "" },
        { type: "thinking_delta", thinking: "Let me " },
        { type: "thinking_delta", thinking: "see." },
        { type: "signature_delta", signature: "c2ln" },
      ),
      ...block(1, { type: "redacted_thinking", data: "R==" }),
      ...block(2, { type: "tool_use", id: "c1", name: "look", input: {} }),
      ...end("tool_use"),
    ]);
    const { turn, back } = await wire.twice(wire.anthropic());
    expect([turn.thoughts, wire.thoughts.slice(0, 2)]).toEqual([
      "Let me see.",
      ["Let me ", "see."],
    ]);
    expect(sentBack(back)[0]?.["content"]).toEqual([
      { type: "thinking", thinking: "Let me see.", signature: "c2ln" },
      { type: "redacted_thinking", data: "R==" },
      { type: "tool_use", id: "c1", name: "look", input: {} },
    ]);
  });

  it("counts and prices tokens that are written to the cache (AD-83)", async () => {
    const counts = {
      input_tokens: 100,
      cache_read_input_tokens: 1_000,
      cache_creation_input_tokens: 200,
    };
    const wire = new Wire([begin(counts), ...end("end_turn")]);
    const { usage } = await wire.ask(wire.anthropic());
    expect(usage).toMatchObject({ inputTokens: 1_300, cacheWriteTokens: 200 });
    const prices = { inputUsd: 3, outputUsd: 15, cachedInputUsd: 0.3, cacheWriteUsd: 3.75 };
    expect(costOf(usage, prices)).toBeCloseTo((300 + 300 + 750 + 60) / 1e6, 12);
  });

  it("sends strict tools, beta features, the cache's lifetime and other settings (AD-84)", async () => {
    const wire = new Wire([begin(), ...end("end_turn")]);
    const inputSchema = { ...SCHEMA, additionalProperties: false };
    const client = wire.anthropic({
      ...{ strictTools: true, betas: ["b-1", "b-2"], cacheTtl: "1h", temperature: 0.2 },
      serviceTier: "standard_only",
    });
    const { signal } = new AbortController();
    await client.ask(
      { ...REQUEST, tools: [{ ...TOOL, inputSchema }] },
      { signal, onText: () => {} },
    );
    expect(wire.headers[0]?.["anthropic-beta"]).toBe("b-1,b-2");
    expect(wire.bodies[0]).toMatchObject({
      temperature: 0.2,
      service_tier: "standard_only",
      system: [{ cache_control: { type: "ephemeral", ttl: "1h" } }],
      tools: [{ name: "look", strict: true }],
    });
  });

  it("merges additional fields and keeps our tools and schema (AD-85)", async () => {
    const wire = new Wire([begin(), ...end("end_turn")]);
    const search = { type: "web_search_20250305", name: "web_search" };
    const extraBody = { tools: [search], output_config: { effort: "low", format: null }, top_k: 5 };
    await wire.ask(wire.anthropic({ extraBody, outputFormat: "schema" }));
    const [body] = wire.bodies;
    expect(body).toMatchObject({ top_k: 5, output_config: { effort: "low" } });
    expect(body?.["tools"]).toMatchObject([{ name: "look" }, search]);
  });
});

// The streams follow https://platform.openai.com/docs/api-reference/responses-streaming.
describe("OpenAI's responses", () => {
  const done = (output: readonly Json[], more: Json = {}) => [
    {
      type: "response.completed",
      response: { id: "resp_1", model: "gpt-x-2026", status: "completed", output, ...more },
    },
  ];
  const call = { type: "function_call", id: "fc_1", call_id: "c1", name: "look", arguments: "{}" };
  const said = (text: string, more: Json = {}, annotations: readonly Json[] = []) => ({
    ...{ type: "message", id: "msg_1", role: "assistant", status: "completed", ...more },
    content: [{ type: "output_text", text, annotations }],
  });

  it("sends the phase of a message back, without reasoning too (AD-80)", async () => {
    const wire = new Wire(done([said("First I look.", { phase: "commentary" }), call]));
    const { back } = await wire.twice(wire.openai());
    expect(back["input"]).toContainEqual(expect.objectContaining({ phase: "commentary" }));
  });

  it("sends calls of built-in tools and unknown items back unchanged (AD-80)", async () => {
    const search = { type: "web_search_call", id: "ws_1", status: "completed" };
    const unknown = { type: "hologram", id: "h_1", frames: [1] };
    const citation = { type: "url_citation", url: "https://a.example", title: "A" };
    const wire = new Wire(done([search, unknown, said("Sunny.", {}, [citation])]));
    const { turn, back } = await wire.twice(wire.openai());
    expect(turn).toMatchObject({
      ...{ text: "Sunny.", responseId: "resp_1", model: "gpt-x-2026" },
      sources: [{ url: "https://a.example", title: "A" }],
    });
    expect(back["input"]).toEqual(expect.arrayContaining([search, unknown]));
  });

  it("asks for encrypted reasoning with store: false, and sends it back (AD-80)", async () => {
    const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "E==" };
    const wire = new Wire(done([reasoning, call]));
    const { back } = await wire.twice(wire.openai({ store: false }));
    expect(wire.bodies[0]?.["include"]).toEqual(["reasoning.encrypted_content"]);
    expect(back["input"]).toEqual(expect.arrayContaining([reasoning, call]));
  });

  it("streams and reports thoughts, and counts their tokens (AD-82, AD-83)", async () => {
    const summary = [{ type: "summary_text", text: "I look." }];
    const usage = {
      input_tokens: 9,
      output_tokens: 8,
      output_tokens_details: { reasoning_tokens: 6 },
    };
    const wire = new Wire([
      { type: "response.reasoning_summary_text.delta", delta: "I " },
      { type: "response.reasoning_summary_text.delta", delta: "look." },
      ...done([{ type: "reasoning", id: "rs_1", summary }, call], { usage }),
    ]);
    const turn = await wire.ask(wire.openai());
    expect(turn).toMatchObject({ thoughts: "I look.", usage: { reasoningTokens: 6 } });
    expect(wire.thoughts).toEqual(["I ", "look."]);
  });

  it("merges additional fields and keeps our tools and schema (AD-85)", async () => {
    const wire = new Wire(done([said("{}")]));
    const extraBody = {
      text: { verbosity: "low", format: { type: "text" } },
      tools: [{ type: "web_search" }],
      include: ["web_search_call.action.sources"],
    };
    await wire.ask(wire.openai({ extraBody, store: false, serviceTier: "flex" }));
    expect(wire.bodies[0]).toMatchObject({
      service_tier: "flex",
      text: { verbosity: "low", format: { type: "json_schema", schema: SCHEMA } },
      tools: [{ name: "look" }, { type: "web_search" }],
      include: ["reasoning.encrypted_content", "web_search_call.action.sources"],
    });
  });
});

// The fields of compatible servers follow https://api-docs.deepseek.com/guides/thinking_mode,
// https://openrouter.ai/docs/use-cases/reasoning-tokens and https://ai.google.dev/gemini-api/docs/thought-signatures.
describe("OpenAI's chat and compatible servers", () => {
  const chunk = (delta: Json, finish_reason: string | null = null, more: Json = {}) => ({
    ...{ id: "chat_1", model: "llama-x", choices: [{ index: 0, delta, finish_reason }] },
    ...more,
  });
  const called = {
    index: 0,
    id: "c1",
    type: "function",
    function: { name: "look", arguments: "{}" },
  };

  it("sends reasoning_content back with the calls it led to (AD-80, AD-82)", async () => {
    const wire = new Wire([
      chunk({ reasoning_content: "I " }),
      chunk({ reasoning_content: "look." }),
      chunk({ tool_calls: [called] }, "tool_calls"),
    ]);
    const { turn, back } = await wire.twice(wire.openai({ api: "chat" }));
    expect(turn).toMatchObject({ thoughts: "I look.", responseId: "chat_1", model: "llama-x" });
    expect(wire.thoughts.slice(0, 2)).toEqual(["I ", "look."]);
    expect(sentBack(back)[0]).toMatchObject({ reasoning_content: "I look." });
  });

  it("does not send reasoning_content back without a call, because servers refuse it (AD-80)", async () => {
    const wire = new Wire([chunk({ reasoning_content: "Hm." }), chunk({ content: "Hi." }, "stop")]);
    const { back } = await wire.twice(wire.openai({ api: "chat" }));
    expect(sentBack(back)[0]).not.toHaveProperty("reasoning_content");
  });

  it("joins the pieces of reasoning_details and sends them back (AD-80)", async () => {
    const piece = (more: Json) => chunk({ reasoning_details: [{ index: 0, ...more }] });
    const wire = new Wire([
      piece({ type: "reasoning.text", text: "I " }),
      piece({ type: "reasoning.text", text: "look.", signature: "c2ln" }),
      chunk({ reasoning_details: [{ index: 1, type: "reasoning.encrypted", data: "E==" }] }),
      chunk({ tool_calls: [called] }, "tool_calls"),
    ]);
    const { back } = await wire.twice(wire.openai({ api: "chat" }));
    expect(sentBack(back)[0]?.["reasoning_details"]).toEqual([
      { index: 0, type: "reasoning.text", text: "I look.", signature: "c2ln" },
      { index: 1, type: "reasoning.encrypted", data: "E==" },
    ]);
  });

  it("sends the signature of a thought back with its call (AD-80)", async () => {
    const extra_content = { google: { thought_signature: "c2ln" } };
    const wire = new Wire([chunk({ tool_calls: [{ ...called, extra_content }] }, "tool_calls")]);
    const { back } = await wire.twice(wire.openai({ api: "chat" }));
    expect(sentBack(back)[0]?.["tool_calls"]).toEqual([
      { extra_content, id: "c1", type: "function", function: { name: "look", arguments: "{}" } },
    ]);
  });

  it("merges additional fields, keeps our tools and schema, counts reasoning (AD-83, AD-85)", async () => {
    const usage = {
      prompt_tokens: 3,
      completion_tokens: 9,
      completion_tokens_details: { reasoning_tokens: 7 },
    };
    const wire = new Wire([chunk({ content: "{}" }, "stop", { usage })]);
    const extraBody = { response_format: { type: "text" }, tools: [{ type: "custom" }], top_p: 1 };
    const turn = await wire.ask(wire.openai({ api: "chat", extraBody }));
    expect(turn.usage).toMatchObject({ reasoningTokens: 7 });
    expect(wire.bodies[0]).toMatchObject({
      top_p: 1,
      response_format: { type: "json_schema" },
      tools: [{ type: "function" }, { type: "custom" }],
    });
  });
});

// The parts follow the types of https://ai-sdk.dev/providers/community-providers/custom-providers.
describe("the AI SDK", () => {
  const finish = (raw = "stop") => ({
    type: "finish",
    usage: {
      inputTokens: { total: 9, cacheRead: 2, cacheWrite: 3 },
      outputTokens: { total: 8, reasoning: 6 },
    },
    finishReason: { unified: "stop", raw },
  });

  it("keeps calls that the provider ran, their results, files, sources and warnings (AD-80)", async () => {
    const own = { toolCallId: "s1", toolName: "web_search" };
    const { model, calls } = languageModel([
      { type: "stream-start", warnings: [{ type: "unsupported", feature: "topK", details: "no" }] },
      { type: "response-metadata", id: "r1", modelId: "m-2026" },
      { type: "reasoning-start", id: "0" },
      { type: "reasoning-delta", id: "0", delta: "Hm." },
      { type: "tool-call", ...own, input: '{"q":1}', providerExecuted: true },
      { type: "tool-result", ...own, result: { preview: true }, preliminary: true },
      { type: "tool-result", ...own, result: { hits: 2 }, providerMetadata: { x: { id: "1" } } },
      { type: "file", mediaType: "image/png", data: "AAAA" },
      { type: "source", sourceType: "url", id: "u", url: "https://a.example", title: "A" },
      { type: "source", sourceType: "document", id: "d", title: "D", mediaType: "text/plain" },
      finish("pause_turn"),
    ]);
    const wire = new Wire([]);
    const client = new AiSdkModel({ model });
    const turn = await wire.ask(client);
    expect(turn).toMatchObject({
      toolCalls: [],
      ...{ responseId: "r1", model: "m-2026", thoughts: "Hm.", stopReason: "paused" },
      sources: [{ url: "https://a.example", title: "A" }, { title: "D" }],
      warnings: ["unsupported: topK (no)"],
      usage: { cacheWriteTokens: 3, reasoningTokens: 6 },
    });
    expect(wire.thoughts).toEqual(["Hm."]);
    await wire.ask(client, [{ role: "assistant", ...turn }]);
    expect(calls[1]?.prompt.at(-1)).toMatchObject({
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm." },
        { type: "tool-call", ...own, input: { q: 1 }, providerExecuted: true },
        {
          ...{ type: "tool-result", ...own, output: { type: "json", value: { hits: 2 } } },
          providerOptions: { x: { id: "1" } },
        },
        { type: "file", mediaType: "image/png", data: "AAAA" },
      ],
    });
  });

  it("merges additional options and keeps our tools and schema (AD-85)", async () => {
    const { model, calls } = languageModel([finish()]);
    const search = { type: "provider", id: "openai.web_search", name: "web_search", args: {} };
    const extraOptions = { tools: [search], responseFormat: { type: "text" }, topP: 1 };
    await new Wire([]).ask(new AiSdkModel({ model, extraOptions }));
    expect(calls[0]).toMatchObject({
      topP: 1,
      responseFormat: { type: "json" },
      tools: [{ name: "look" }, search],
    });
  });
});

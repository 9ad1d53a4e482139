import { createAnthropic } from "@ai-sdk/anthropic";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findKnownModel } from "../runtime/loop/known-models.js";
import type { ModelClient, ModelMessage, ModelRequest } from "../runtime/loop/model-client.js";
import { costOf } from "../runtime/loop/model-prices.js";
import { AiSdkModel } from "./ai-sdk/ai-sdk-model.js";
import { AnthropicModel } from "./anthropic/anthropic-model.js";
import { REQUEST } from "./canned-responses.test.support.js";
import { OpenAIModel } from "./openai/openai-model.js";
import { chat, claude, responses } from "./provider-streams.test.support.js";
import { type Json, StreamServer } from "./stream-server.test.support.js";

// Fields that only some features, models or compatible servers use. Each stream follows the page that is named.

const server = new StreamServer();
beforeAll(() => server.start());
afterAll(() => server.stop());

const TOOL = { name: "look", description: "Looks.", inputSchema: { type: "object" } } as const;

/** Asks, sends the answer back with the results of its calls, and returns the turn and the bodies. */
async function twice(
  events: readonly Json[],
  open: (baseURL: string) => ModelClient,
  more: Partial<ModelRequest> = {},
) {
  const { url, requests } = server.answer(events);
  const client = open(url);
  const thoughts: string[] = [];
  const ask = (messages: readonly ModelMessage[]) =>
    client.ask(
      { ...REQUEST, tools: [TOOL], outputSchema: null, messages, ...more },
      {
        signal: new AbortController().signal,
        onText: () => {},
        onThought: (text) => thoughts.push(text),
      },
    );
  const turn = await ask([]);
  const thought = thoughts.join("");
  const { text, toolCalls, providerData } = turn;
  const results = toolCalls.map(({ toolCallId, toolName }) => {
    return { role: "tool", toolCallId, toolName, text: "Seen.", success: true } as const;
  });
  await ask([{ role: "assistant", text, toolCalls, providerData }, ...results]);
  const [first = {}, second = {}] = requests.map(({ body }) => body);
  return { turn, first, second, back: JSON.stringify(second), thought };
}

describe("Anthropic", () => {
  const open =
    (options: Json = {}) =>
    (baseURL: string) =>
      new AnthropicModel({ model: "claude-sonnet-4-6", apiKey: "x", baseURL, ...options });

  // https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling
  it("sends back who made a call, and the container of the code (AD-80)", async () => {
    const caller = { type: "code_execution_20250825", tool_id: "srvtoolu_1" };
    const call = claude.block(
      { type: "tool_use", id: "call_1", name: "look", input: {}, caller },
      { type: "input_json_delta", partial_json: '{"detail":"x"}' },
    );
    const events = claude.turn([call], "tool_use").map((event) => {
      const container = { id: "container_1", expires_at: "2026-11-18T20:00:00Z" };
      if (event["type"] !== "message_delta") return event;
      return { ...event, delta: { stop_reason: "tool_use", container } };
    });
    const { back, second } = await twice(events, open());
    expect(back).toContain(`"input":{"detail":"x"},"caller":${JSON.stringify(caller)}`);
    expect(second["container"]).toBe("container_1");
    const skills = [{ type: "anthropic", skill_id: "xlsx" }];
    const merged = await twice(events, open({ extraBody: { container: { skills } } }));
    expect(merged.first["container"]).toEqual({ skills });
    expect(merged.second["container"]).toEqual({ id: "container_1", skills });
  });

  it("a call that the model made itself needs no copy of the answer (AD-80)", async () => {
    const call = claude.block({
      ...{ type: "tool_use", id: "call_1", name: "look", input: {} },
      ...{ caller: { type: "direct" }, toolset_name: null },
    });
    const { turn } = await twice(claude.turn([call], "tool_use"), open());
    expect(turn.providerData).toBeUndefined();
  });

  // https://platform.claude.com/docs/en/build-with-claude/compaction
  it("continues after the provider has compacted the conversation (AD-81)", async () => {
    const compacted = claude.block(
      { type: "compaction", content: "" },
      { type: "compaction_delta", content: "All so far." },
    );
    const { turn, back } = await twice(claude.turn([compacted], "compaction"), open());
    expect(turn.stopReason).toBe("paused");
    expect(back).toContain('{"type":"compaction","content":"All so far."}');
  });

  // https://platform.claude.com/docs/en/build-with-claude/prompt-caching#1-hour-cache-duration
  it("prices what is cached for an hour, and counts the tokens of thoughts (AD-83)", async () => {
    const usage = {
      cache_creation_input_tokens: 300,
      cache_creation: { ephemeral_5m_input_tokens: 100, ephemeral_1h_input_tokens: 200 },
      output_tokens_details: { thinking_tokens: 7 },
    };
    const { turn } = await twice(claude.turn([claude.text("Yes.")], "end_turn", usage), open());
    expect(turn.usage).toMatchObject({
      ...{ inputTokens: 320, cacheWriteTokens: 300, cacheWriteHourTokens: 200 },
      reasoningTokens: 7,
    });
    const prices = findKnownModel("claude-sonnet-4-6")?.prices;
    const expected = (20 * 3 + 100 * 3.75 + 200 * 6 + 10 * 15) / 1e6;
    expect(costOf(turn.usage, prices)).toBeCloseTo(expected, 12);
  });

  it("adds further blocks of instructions to those of the prompt (AD-85)", async () => {
    const block = { type: "text", text: "Also this." };
    const { first } = await twice(
      claude.turn([claude.text("Yes.")], "end_turn"),
      open({ extraBody: { system: [block] } }),
    );
    expect(first["system"]).toMatchObject([{ text: REQUEST.instructions }, block]);
  });

  it("settings of the run win over fields of the adapter (MD-1)", async () => {
    const extraBody = {
      ...{ temperature: 1, max_tokens: 5, output_config: { effort: "low", other: 1 } },
      tool_choice: { type: "tool", name: "other", disable_parallel_tool_use: true },
    };
    const settings = {
      temperature: 0,
      maxOutputTokens: 9,
      effort: "high",
      toolChoice: "auto",
    } as const;
    const answer = claude.turn([claude.text("Yes.")], "end_turn");
    const { first } = await twice(answer, open({ extraBody }), { settings });
    expect(first).toMatchObject({
      ...{ temperature: 0, max_tokens: 9, output_config: { effort: "high", other: 1 } },
      tool_choice: { type: "auto", disable_parallel_tool_use: true },
    });
    expect(first["tool_choice"]).not.toHaveProperty("name");
  });
});

describe("OpenAI's responses", () => {
  const open =
    (options: Json = {}) =>
    (baseURL: string) =>
      new OpenAIModel({ model: "gpt-5.1", apiKey: "x", baseURL, ...options });
  const done = responses.turn([responses.text("Yes.")]);

  // https://developers.openai.com/api/docs/guides/tools-programmatic-tool-calling, …/tools-tool-search
  it("sends the caller and the namespace of a call back, and the caller with its result (AD-80)", async () => {
    const caller = { type: "program", caller_id: "prog_1" };
    const call = { ...responses.call(), namespace: "crm", caller };
    const { second } = await twice(responses.turn([call]), open());
    expect(second["input"]).toMatchObject([
      { role: "user" },
      call,
      { type: "function_call_output", call_id: "call_1", caller },
    ]);
  });

  it("knows that reasoning is not stored, wherever that is set (AD-80)", async () => {
    const reasoning = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: null };
    const events = responses.turn([reasoning, responses.call()]);
    const { first, back } = await twice(events, open({ extraBody: { store: false } }));
    expect(first).toMatchObject({ store: false, include: ["reasoning.encrypted_content"] });
    expect(back).not.toContain("rs_1");
    const settings = { providerOptions: { openai: { store: false } } };
    expect((await twice(events, open(), { settings })).first).toMatchObject({
      ...{ store: false, include: ["reasoning.encrypted_content"] },
    });
  });

  it("reads the items of servers that do not repeat them at the end (AD-19)", async () => {
    const events = responses
      .turn([responses.reasoning("Hm."), responses.call()])
      .map((event) =>
        event["type"] === "response.completed"
          ? { ...event, response: { ...(event["response"] as Json), output: [] } }
          : event,
      );
    const { turn, back } = await twice(events, open());
    expect(turn.toolCalls).toMatchObject([{ toolCallId: "call_1", toolName: "look" }]);
    expect(back).toContain('"id":"rs_1"');
  });

  // https://developers.openai.com/api/docs/guides/prompt-caching
  it("counts the tokens that are written to the cache (AD-83)", async () => {
    const usage = { input_tokens_details: { cached_tokens: 5, cache_write_tokens: 6 } };
    const { turn } = await twice(responses.turn([responses.text("Yes.")], usage), open());
    expect(turn.usage).toMatchObject({ cachedInputTokens: 5, cacheWriteTokens: 6 });
  });

  it("settings of the run win over fields of the adapter (MD-1)", async () => {
    const extraBody = {
      ...{ temperature: 1, max_output_tokens: 5, reasoning: { effort: "low", summary: "auto" } },
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [] },
    };
    const settings = {
      temperature: 0,
      maxOutputTokens: 9,
      effort: "high",
      toolChoice: { tool: "look" },
    } as const;
    const { first } = await twice(done, open({ extraBody }), { settings });
    expect(first).toMatchObject({
      ...{ temperature: 0, max_output_tokens: 9 },
      reasoning: { effort: "high", summary: "auto" },
    });
    expect(first["tool_choice"]).toEqual({ type: "function", name: "look" });
  });
});

describe("chat completions of compatible servers", () => {
  const open = (baseURL: string) =>
    new OpenAIModel({ model: "x", api: "chat", apiKey: "x", baseURL });

  // https://docs.mistral.ai/capabilities/reasoning
  it("reads content that is a list with thoughts, and sends the list back (AD-80, AD-82)", async () => {
    const thinking = (text: string) => ({
      content: [{ type: "thinking", thinking: [{ type: "text", text }] }],
    });
    const deltas = [
      ...[{ content: "So: " }, thinking("Let me "), thinking("look.")],
      ...[{ content: [{ type: "text", text: "See" }] }, { content: "n." }],
      { content: [{ type: "reference", reference_ids: [1] }] },
    ];
    const { turn, second, thought } = await twice(
      chat.turn([...deltas, chat.call()], "tool_calls"),
      open,
    );
    expect(turn).toMatchObject({ text: "So: Seen.", thoughts: "Let me look." });
    expect(thought).toBe("Let me look.");
    const pieces = ["Let me ", "look."].map((text) => ({ type: "text", text }));
    expect(second["messages"]).toMatchObject([
      ...[{}, {}],
      {
        role: "assistant",
        content: [
          { type: "text", text: "So: " },
          { type: "thinking", thinking: pieces },
          { type: "text", text: "Seen." },
          { type: "reference", reference_ids: [1] },
        ],
      },
      { role: "tool" },
    ]);
  });

  it.each([
    {
      what: "whose name comes in pieces",
      pieces: [
        { index: 0, id: "a", function: { name: "lo" } },
        { index: 0, function: { name: "ok", arguments: "" } },
        { index: 0, function: { arguments: '{"detail":"x"}' } },
      ],
    },
    {
      what: "whose pieces have new ids",
      pieces: [
        { index: 0, id: "a", function: { name: "look", arguments: '{"detail"' } },
        { index: 0, id: "b", function: { arguments: ':"x"}' } },
      ],
    },
    {
      what: "whose name is repeated",
      pieces: [
        { index: 0, id: "a", function: { name: "look", arguments: "" } },
        { index: 0, id: "a", function: { name: "look", arguments: '{"detail":"x"}' } },
      ],
    },
  ])("joins a call $what (AD-19)", async ({ pieces }) => {
    const deltas = pieces.map((piece) => ({ tool_calls: [piece] }));
    const { turn } = await twice(chat.turn(deltas, "tool_calls"), open);
    expect(turn.toolCalls).toEqual([
      { toolCallId: "a", toolName: "look", arguments: '{"detail":"x"}' },
    ]);
  });

  it("does not mix the texts of further choices into the first one (AD-19)", async () => {
    const events = chat.turn([chat.text("One.")], "stop");
    const other = { choices: [{ index: 1, delta: { content: "Two." }, finish_reason: null }] };
    const { turn } = await twice([...events.slice(0, 2), other, ...events.slice(2)], open);
    expect(turn.text).toBe("One.");
  });

  // https://api-docs.deepseek.com/guides/kv_cache, https://openrouter.ai/docs/use-cases/usage-accounting
  it.each([
    { usage: { prompt_cache_hit_tokens: 8 }, expected: { cachedInputTokens: 8 } },
    { usage: { cost: 0.0125 }, expected: { costUsd: 0.0125 } },
    {
      usage: { prompt_tokens_details: { cached_tokens: 2, cache_write_tokens: 3 } },
      expected: { cachedInputTokens: 2, cacheWriteTokens: 3 },
    },
  ])("reads the usage $usage (AD-83)", async ({ usage, expected }) => {
    const { turn } = await twice(chat.turn([chat.text("Yes.")], "stop", usage), open);
    expect(turn.usage).toMatchObject(expected);
  });
});

describe("the AI SDK", () => {
  it("settings of the run win over options of the adapter, and the window of a known model is known (MD-1, MD-20)", async () => {
    const open = (baseURL: string) =>
      new AiSdkModel({
        model: createAnthropic({ apiKey: "x", baseURL })("claude-opus-4-6"),
        extraOptions: { temperature: 1, maxOutputTokens: 5, toolChoice: { type: "required" } },
      });
    const settings = { temperature: 0, maxOutputTokens: 9, toolChoice: { tool: "look" } } as const;
    const answer = claude.turn([claude.text("Yes.")], "end_turn");
    const { first } = await twice(answer, open, { settings });
    expect(first).toMatchObject({ temperature: 0, max_tokens: 9, tool_choice: { name: "look" } });
    expect(open("http://127.0.0.1").contextWindowTokens).toBe(1_000_000);
  });
});

import { describe, expect, it } from "vitest";
import type { ModelMessage } from "../runtime/loop/model-client.js";
import { AiSdkModel } from "./ai-sdk/ai-sdk-model.js";
import {
  ask,
  languageModel,
  messages,
  REQUEST,
  responses,
} from "./canned-responses.test.support.js";
import { responsesRequest } from "./openai/responses-request.js";
import { PIXEL } from "./writer.test.support.js";

const usage = { input_tokens: 9, output_tokens: 4, input_tokens_details: { cached_tokens: 5 } };
const message = (part: object) => ({ type: "message", role: "assistant", content: [part] });
const spoken = message({ type: "output_text", text: "Yes." });

describe("a turn of the responses API", () => {
  const done = (response: object) => [
    { type: "response.completed", response: { status: "completed", output: [], ...response } },
  ];

  it.each([
    {
      what: "the cached tokens",
      events: done({ output: [spoken], usage }),
      turn: { text: "Yes.", usage: { inputTokens: 9, outputTokens: 4, cachedInputTokens: 5 } },
    },
    {
      what: "a refusal",
      events: done({ output: [message({ type: "refusal", refusal: "I will not." })] }),
      turn: { text: "I will not.", stopReason: "refused" },
    },
    {
      what: "a filter",
      events: incomplete({ reason: "content_filter" }),
      turn: { stopReason: "refused" },
    },
    {
      what: "a limit",
      events: incomplete({ reason: "max_output_tokens" }),
      turn: { stopReason: "length" },
    },
  ])("reports $what (AD-19)", async ({ events, turn }) => {
    expect(await ask(responses(events))).toMatchObject(turn);
  });

  it.each([
    { code: "rate_limit_exceeded", expected: "RATE_LIMITED" },
    { code: "server_error", expected: "SERVER_ERROR" },
    { code: "invalid_prompt", expected: "REFUSED" },
    { code: "something_new", expected: "SERVER_ERROR" },
  ])("that fails with $code is $expected (AD-21)", async ({ code, expected }) => {
    const error = { code, message: "no" };
    const failed = [{ type: "response.failed", response: { status: "failed", error } }];
    await expect(ask(responses(failed))).rejects.toMatchObject({ code: expected });
    const event = [{ type: "error", ...error }];
    await expect(ask(responses(event))).rejects.toMatchObject({ code: expected });
  });

  it("with reasoning that is neither stored nor sent is sent back without it (AD-25)", () => {
    const call = { toolCallId: "c1", toolName: "look", arguments: "{}" };
    const thought = { type: "reasoning", id: "rs_1", summary: [] };
    const message: ModelMessage = {
      ...{ role: "assistant", text: "", toolCalls: [call] },
      providerData: { openai: [thought, { type: "function_call", id: "fc_1", call_id: "c1" }] },
    };
    const request = { ...REQUEST, messages: [message] };
    const types = (store: boolean | undefined) =>
      (responsesRequest(request, { model: "x", store }).input as { type?: string }[]).map(
        ({ type }) => type,
      );
    expect(types(false)).toEqual([undefined, "function_call"]);
    expect(types(undefined)).toEqual([undefined, "reasoning", "function_call"]);
  });
});

describe("a turn of Anthropic's messages", () => {
  const start = (counted: object) => ({ type: "message_start", message: { usage: counted } });
  const stop = (stop_reason: string) => [
    { type: "message_delta", delta: { stop_reason }, usage: { output_tokens: 4 } },
    { type: "message_stop" },
  ];

  it("counts tokens read from and written to the cache as input (AD-19)", async () => {
    const counted = { input_tokens: 3, cache_read_input_tokens: 5, cache_creation_input_tokens: 1 };
    expect((await ask(messages([start(counted), ...stop("end_turn")]))).usage).toEqual({
      ...{ inputTokens: 9, outputTokens: 4, cachedInputTokens: 5, cacheWriteTokens: 1 },
    });
  });

  it.each([
    { says: "refusal", stopReason: "refused" },
    { says: "max_tokens", stopReason: "length" },
    { says: "model_context_window_exceeded", stopReason: "length" },
  ])("that ends with $says is $stopReason (AD-19)", async ({ says, stopReason }) => {
    expect(await ask(messages([start({}), ...stop(says)]))).toMatchObject({ stopReason });
  });

  it("that fails in the middle is classified (AD-21)", async () => {
    const error = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    await expect(ask(messages([start({}), error]))).rejects.toMatchObject({ code: "OVERLOADED" });
  });
});

describe("a turn of the AI SDK", () => {
  const total = { inputTokens: { total: 9, cacheRead: 5 }, outputTokens: { total: 4 } };
  const finish = (unified: string) => ({
    ...{ type: "finish", usage: total, finishReason: { unified, raw: unified } },
  });

  it("reports the cached tokens (AD-19)", async () => {
    const { model } = languageModel([finish("stop")]);
    expect((await ask(new AiSdkModel({ model }))).usage).toEqual({
      ...{ inputTokens: 9, outputTokens: 4, cachedInputTokens: 5 },
    });
  });

  it.each([undefined, {}])("may omit its usage: %j (AD-19)", async (usage) => {
    const { model } = languageModel([{ ...finish("stop"), usage }]);
    expect((await ask(new AiSdkModel({ model }))).usage).toEqual({
      ...{ inputTokens: 0, outputTokens: 0, cachedInputTokens: 0 },
    });
  });

  it.each([
    { says: "length", stopReason: "length" },
    { says: "content-filter", stopReason: "refused" },
  ])("that ends with $says is $stopReason (AD-19)", async ({ says, stopReason }) => {
    const { model } = languageModel([finish(says)]);
    expect(await ask(new AiSdkModel({ model }))).toMatchObject({ stopReason });
  });

  it.each([
    { version: "v3", finishReason: { unified: "other" } },
    { version: "v4", finishReason: { unified: "interrupted" } },
  ])("that was cut off is an error, although a model of $version ends it (AD-20)", async (cut) => {
    const { version, finishReason } = cut;
    const half = { type: "tool-call", toolCallId: "c1", toolName: "look", input: '{"a":' };
    const { model } = languageModel([half, { ...finish("stop"), finishReason }], version);
    await expect(ask(new AiSdkModel({ model }))).rejects.toMatchObject({ code: "NETWORK" });
  });

  it("is sent back with the provider's metadata (AD-25)", async () => {
    const providerMetadata = { google: { thoughtSignature: "c2lnbmVk" } };
    const call = { toolCallId: "c1", toolName: "look" };
    const { model, calls } = languageModel([
      { type: "reasoning-start", id: "0" },
      { type: "reasoning-delta", id: "0", delta: "Hm." },
      { type: "text-start", id: "0" },
      { type: "text-delta", id: "0", delta: "Let me see." },
      { type: "tool-call", ...call, input: '{"a":1}', providerMetadata },
      finish("tool-calls"),
    ]);
    const client = new AiSdkModel({ model });
    const { providerData, ...turn } = await ask(client);
    expect(turn).toMatchObject({
      text: "Let me see.",
      toolCalls: [{ ...call, arguments: '{"a":1}' }],
    });
    await ask(client, [{ role: "assistant", ...turn, providerData }]);
    expect(calls[1]?.prompt.at(-1)).toEqual({
      role: "assistant",
      content: [
        { type: "reasoning", text: "Hm." },
        { type: "text", text: "Let me see." },
        { type: "tool-call", ...call, input: { a: 1 }, providerOptions: providerMetadata },
      ],
    });
  });

  it.each([
    { version: "v3", picture: { type: "image-data", mediaType: "image/png", data: PIXEL } },
    {
      version: "v4",
      picture: { type: "file", mediaType: "image/png", data: { type: "data", data: PIXEL } },
    },
  ])(
    "sends images to a model of $version in its own format (AD-26)",
    async ({ version, picture }) => {
      const { model, calls } = languageModel([finish("stop")], version);
      const images = [{ mediaType: "image/png", data: PIXEL }] as const;
      const answer = { toolCallId: "c1", toolName: "look", text: "See.", success: true, images };
      await ask(new AiSdkModel({ model }), [{ role: "tool", ...answer }]);
      expect(JSON.stringify(calls[0]?.prompt.at(-1))).toContain(JSON.stringify(picture));
    },
  );

  it("is not requested from a model of another version (AD-24)", async () => {
    const { model } = languageModel([], "v2");
    await expect(ask(new AiSdkModel({ model }))).rejects.toMatchObject({
      code: "INVALID_REQUEST",
    });
  });

  it("ends when its signal aborts, even if the model ignores the signal (AD-23)", async () => {
    const controller = new AbortController();
    let cancelled: unknown;
    const stream = new ReadableStream({
      pull: () => controller.abort("enough"),
      cancel: (reason) => {
        cancelled = reason;
      },
    });
    const model = { ...languageModel([]).model, doStream: async () => ({ stream }) };
    const asked = new AiSdkModel({ model }).ask(REQUEST, {
      signal: controller.signal,
      onText: () => {},
    });
    await expect(asked).rejects.toBe("enough");
    expect(cancelled).toBe("enough");
  });
});

function incomplete(incomplete_details: { readonly reason: string }) {
  const response = { status: "incomplete", output: [spoken], incomplete_details };
  return [{ type: "response.incomplete", response }];
}

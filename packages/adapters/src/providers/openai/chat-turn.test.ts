import { describe, expect, it } from "vitest";
import { ask, chat } from "../canned-responses.test.support.js";

describe("a turn of chat completions", () => {
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    choices: [{ index: 0, delta, finish_reason }],
  });

  it("reports the cached tokens (AD-19)", async () => {
    const details = { prompt_tokens_details: { cached_tokens: 5 } };
    const counted = { choices: [], usage: { prompt_tokens: 9, completion_tokens: 4, ...details } };
    const events = [chunk({ content: "Yes." }), chunk({}, "stop"), counted];
    expect(await ask(chat(events))).toEqual({
      text: "Yes.",
      toolCalls: [],
      usage: { inputTokens: 9, outputTokens: 4, cachedInputTokens: 5 },
      stopReason: "end",
    });
  });

  it("reports that the model refused (AD-19)", async () => {
    const events = [chunk({ refusal: "I will not." }), chunk({}, "stop")];
    expect(await ask(chat(events))).toMatchObject({ text: "I will not.", stopReason: "refused" });
  });

  it("accepts complete calls without an index (AD-19)", async () => {
    const call = (id: string) => ({ id, function: { name: "look", arguments: "" } });
    const events = [chunk({ tool_calls: [call("a"), call("b")] }), chunk({}, "tool_calls")];
    expect((await ask(chat(events))).toolCalls).toEqual([
      { toolCallId: "a", toolName: "look", arguments: "{}" },
      { toolCallId: "b", toolName: "look", arguments: "{}" },
    ]);
  });

  const piece = (index: number | undefined, id: string | undefined, args: string) => ({
    ...{ index, id, function: { name: id && "look", arguments: args } },
  });
  it.each([
    {
      what: "mixed pieces",
      pieces: [
        piece(0, "a", "["),
        piece(1, "b", "["),
        piece(0, undefined, "1]"),
        piece(1, "", "2]"),
      ],
    },
    { what: "parts with the same index", pieces: [piece(0, "a", "[1]"), piece(0, "b", "[2]")] },
    {
      what: "parts without an index",
      pieces: [
        ...[piece(undefined, "a", "["), piece(undefined, undefined, "1]")],
        ...[piece(undefined, "b", "["), piece(undefined, "b", "2]")],
      ],
    },
  ])("assembles calls from $what (AD-19)", async ({ pieces }) => {
    const events = pieces.map((each) => chunk({ tool_calls: [each] }));
    expect((await ask(chat([...events, chunk({}, "tool_calls")]))).toolCalls).toEqual([
      { toolCallId: "a", toolName: "look", arguments: "[1]" },
      { toolCallId: "b", toolName: "look", arguments: "[2]" },
    ]);
  });

  it.each([
    { what: "the same id", ids: ["a", "a"] },
    { what: "no id", ids: ["", ""] },
  ])("distinguishes calls that have $what (AD-19)", async ({ ids }) => {
    const calls = ids.map((id, index) => ({ ...piece(index, id, "{}"), function: { name: "x" } }));
    const { toolCalls } = await ask(chat([chunk({ tool_calls: calls }), chunk({}, "stop")]));
    expect(new Set(toolCalls.map(({ toolCallId }) => toolCallId)).size).toBe(2);
  });

  it.each([
    { error: { message: "no", code: "server_error" }, expected: "SERVER_ERROR" },
    { error: { message: "no", code: 429 }, expected: "RATE_LIMITED" },
    { error: "no", expected: "SERVER_ERROR" },
  ])("that fails in the middle with $error is $expected (AD-21)", async ({ error, expected }) => {
    const events = [chunk({ content: "Y" }), { error }];
    await expect(ask(chat(events))).rejects.toMatchObject({ code: expected });
  });

  it.each([
    { says: "", expected: "NETWORK" },
    { says: "error", expected: "SERVER_ERROR" },
  ])("that ends with $says is an error (AD-20)", async ({ says, expected }) => {
    await expect(ask(chat([chunk({ content: "Y" }, says)]))).rejects.toMatchObject({
      code: expected,
    });
  });
});

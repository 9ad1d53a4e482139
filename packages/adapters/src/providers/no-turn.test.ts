import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { ask, chat, messages, REQUEST, responses } from "./canned-responses.test.support.js";

describe("an answer that is not a turn", () => {
  const completed = (response: object) => [{ type: "response.completed", response }];
  const begins = (content_block: unknown) => [
    { type: "content_block_start", index: 0, content_block },
    { type: "message_delta", delta: { stop_reason: "end_turn" } },
    { type: "message_stop" },
  ];
  const chunks = (delta: object) => [{ choices: [{ delta, finish_reason: "stop" }] }];

  it.each([
    { model: responses, events: completed({}) },
    { model: responses, events: completed({ output: [null] }) },
    { model: responses, events: completed({ output: [{ type: "message" }] }) },
    { model: responses, events: completed({ output: [{ type: "function_call" }] }) },
    { model: responses, events: completed({ output: [], usage: { input_tokens: "9" } }) },
    { model: responses, events: [{ type: "response.failed" }] },
    { model: chat, events: [{ choices: {} }] },
    { model: chat, events: chunks({ content: ["x"] }) },
    { model: chat, events: chunks({ tool_calls: {} }) },
    { model: chat, events: chunks({ tool_calls: [{ index: 0, id: "a" }] }) },
    { model: messages, events: begins(undefined) },
    { model: messages, events: begins({ type: "tool_use" }) },
    { model: messages, events: [{ type: "message_start" }] },
    { model: messages, events: [{ type: "message_delta" }] },
  ])("is malformed: $events (AD-20)", async ({ model, events }) => {
    await expect(ask(model(events))).rejects.toMatchObject({
      name: "ModelError",
      code: "MALFORMED",
    });
  });
});

it("a turn leaves no listeners on a shared signal (AD-23)", async () => {
  const { signal } = new AbortController();
  const spoken = [{ choices: [{ delta: { content: "Yes." }, finish_reason: "stop" }] }];
  for (const events of [spoken, [{ error: "no" }], spoken])
    await chat(events)
      .ask(REQUEST, { signal, onText: () => {} })
      .catch(() => {});
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

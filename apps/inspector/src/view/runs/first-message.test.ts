import { expect, it } from "vitest";
import type { MessageView } from "../../model/run-views.js";
import { firstDifferentMessage } from "./first-message.js";

const message = (text: string): MessageView => ({
  ...{ role: "user", text, isCut: false, id: text, turn: null, toolCalls: [], toolCallId: null },
  ...{ toolName: null, success: null, other: {} },
});

it("the first different message is found on any page", async () => {
  const texts = Array.from({ length: 250 }, (_, index) => `message ${index}`);
  const runs: Record<string, readonly string[]> = {
    a: texts,
    b: texts.with(230, "other"),
    c: texts.slice(0, 100),
  };
  const source = {
    messages: async (run: string, _: number, from: number, to: number) => {
      const all = runs[run] ?? [];
      return { total: all.length, from, messages: all.slice(from, to).map(message) };
    },
  };
  const place = (run: string) => ({ run, sequence: 0, messages: runs[run]?.length ?? 0 });
  const find = (one: string, two: string) => firstDifferentMessage(source, place(one), place(two));
  expect(await find("a", "a")).toBeUndefined();
  expect(await find("a", "b")).toMatchObject({ number: 231, right: { text: "other" } });
  expect(await find("a", "c")).toMatchObject({ number: 101, right: undefined });
});

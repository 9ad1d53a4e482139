import { InMemoryFilesystem } from "@wink/filesystem";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { Budget } from "./budget/budget.js";
import { Deadline } from "./budget/deadline.js";
import { ok } from "./protocol/tool-result.js";
import { createToolContext } from "./testing.js";
import { defineTool } from "./tool/define-tool.js";

it("createToolContext makes a frozen context of real parts (PR-21)", async () => {
  const context = createToolContext();
  expect(Object.isFrozen(context)).toBe(true);
  await context.filesystem.write("a.txt", "a");
  expect((await context.filesystem.read("a.txt")).content).toBe("a");
  expect(context.session.events.length).toBe(0);
  expect(context.signal.aborted).toBe(false);
  expect(context.renderedPrompt?.text).toBe("");
  expect(context.prompt.filesystem()).toBe(undefined);
  await expect(
    context.adapter.evaluate(context.prompt, { session: context.session }),
  ).rejects.toThrow("createToolContext was given none");
});

it("createToolContext accepts every part as an option (PR-21)", () => {
  const given = {
    filesystem: new InMemoryFilesystem(),
    session: new Session(),
    deadline: Deadline.in("1s"),
    budget: new Budget({ tokens: 1 }),
    signal: AbortSignal.abort(),
    toolCallId: "call-7",
    renderedPrompt: undefined,
  };
  expect(createToolContext(given)).toMatchObject(given);
});

it("call of createToolContext validates the input once and passes the parsed input to the handler (PR-21)", async () => {
  const seen: unknown[] = [];
  const add = defineTool({
    name: "add",
    description: "Add two numbers.",
    input: z.object({ one: z.number(), other: z.number().default(1) }),
    access: "read",
    handler(input, { toolCallId }) {
      seen.push(input);
      return ok(input.one + input.other, `Sum for ${toolCallId}.`);
    },
  });
  const context = createToolContext({ toolCallId: "call-7" });
  expect(await context.call(add, { one: 2 })).toEqual(ok(3, "Sum for call-7."));
  expect(seen).toEqual([{ one: 2, other: 1 }]);
  expect(await context.call(add, { one: "2" })).toMatchObject({
    success: false,
    message: "The input does not fit add.\n- one: Invalid input: expected number, received string",
  });
  expect(await context.call(add, { two: 2 })).toMatchObject({
    success: false,
    message: "The input has fields that add does not take: two.",
  });
  expect(seen).toHaveLength(1);
});

it("createToolContext makes a context from another one (PR-21)", async () => {
  const one = createToolContext({ toolCallId: "call-7" });
  const { signal } = new AbortController();
  const other = createToolContext({ ...one, signal });
  expect(other).toMatchObject({ session: one.session, toolCallId: "call-7", signal });
  expect(other.call).not.toBe(one.call);
});

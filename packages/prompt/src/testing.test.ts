import { InMemoryFilesystem } from "@wink/filesystem";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { Budget } from "./budget/budget.js";
import { Deadline } from "./budget/deadline.js";
import { createToolContext } from "./testing.js";

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

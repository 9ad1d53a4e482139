import {
  type CompletionCheck,
  Deadline,
  defineTool,
  type EvaluateOptions,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
} from "@wink/prompt";
import { Session } from "@wink/session";
import { expect, it } from "vitest";
import { z } from "zod";
import { ScriptedAdapter, type ScriptedAdapterOptions } from "../../scripted/scripted-adapter.js";

function setup(completion: CompletionCheck, turns: ScriptedAdapterOptions["turns"]) {
  let tests = 0;
  const run = defineTool({
    name: "run_tests",
    description: "Run the tests.",
    input: z.object({ suite: z.string() }),
    access: "read",
    handler: ({ suite }) => ok({ passed: ++tests > 1 }, `${suite}: run ${tests}`),
  });
  const sections = [
    new MarkdownSection({ key: "task", title: "Task", template: "Do.", tools: [run] }),
  ];
  const template = new PromptTemplate({ ns: "tests", key: "completion", sections, completion });
  const adapter = new ScriptedAdapter({ turns, onError: () => {} });
  const evaluate = (options: Partial<EvaluateOptions> = {}) =>
    adapter.evaluate(new Prompt(template).bind({}), { session: new Session(), ...options });
  return { adapter, evaluate };
}

it("missing work goes back to the model until the check finds none (MD-40)", async () => {
  const completion: CompletionCheck = {
    name: "tests",
    async check({ callTool, text }) {
      const result = await callTool("run_tests", { suite: text });
      return result.message.endsWith("2") ? undefined : `The tests fail: ${result.message}.`;
    },
  };
  const { adapter, evaluate } = setup(completion, [{ text: "all" }, { text: "fixed" }]);
  expect(await evaluate()).toMatchObject({ text: "fixed", finishReason: "completed" });
  expect(adapter.requests[1]?.messages.at(-1)).toEqual({
    role: "user",
    text: "The work is not complete (tests).\nThe tests fail: all: run 1.",
  });
});

it("a run whose work stays incomplete ends after the limit (MD-40)", async () => {
  const completion = { name: "never", check: () => "More.", maxAttempts: 2 };
  const { adapter, evaluate } = setup(completion, () => ({ text: "Done." }));
  expect(await evaluate()).toMatchObject({ finishReason: "incomplete" });
  expect(adapter.requests.length).toBe(3);
});

it("a check that throws, or calls a missing tool, does not count as done (MD-40)", async () => {
  const broken = {
    name: "broken",
    check: () => Promise.reject(new Error("/home/secret")),
    maxAttempts: 1,
  };
  const { adapter, evaluate } = setup(broken, () => ({ text: "Done." }));
  expect(await evaluate()).toMatchObject({ finishReason: "incomplete" });
  expect(adapter.requests[1]?.messages.at(-1)?.text).toBe(
    "The check broken failed, so it is unknown whether the work is complete.",
  );
  const absent: CompletionCheck = {
    name: "absent",
    maxAttempts: 0,
    check: async ({ callTool }) => (await callTool("nothing", {})).message,
  };
  expect(await setup(absent, [{ text: "Done." }]).evaluate()).toMatchObject({
    finishReason: "incomplete",
  });
});

it("a check that ignores its signal ends with the deadline or an abort, and one that returns no text fails (MD-40)", async () => {
  let started = () => {};
  const hanging: CompletionCheck = {
    name: "hangs",
    check: () => {
      started();
      return new Promise(() => {});
    },
  };
  const { evaluate } = setup(hanging, () => ({ text: "Done." }));
  expect(await evaluate({ deadline: Deadline.in(50) })).toMatchObject({ finishReason: "deadline" });
  const abort = new AbortController();
  started = () => abort.abort(new Error("stopped"));
  await expect(evaluate({ signal: abort.signal })).rejects.toThrow("stopped");

  const wrong = { name: "wrong", check: () => ({}) as string, maxAttempts: 1 };
  const other = setup(wrong, () => ({ text: "Done." }));
  expect(await other.evaluate()).toMatchObject({ finishReason: "incomplete" });
  expect(other.adapter.requests[1]?.messages.at(-1)?.text).toContain("The check wrong failed");
  expect(() => setup({ ...wrong, maxAttempts: -1 }, [])).toThrow("whole number from 0");
});

import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import {
  Budget,
  defineTool,
  MarkdownSection,
  ok,
  Prompt,
  PromptTemplate,
  type Tool,
} from "@wink/prompt";
import { EndToolCall } from "@wink/prompt/adapter";
import { createToolContext } from "@wink/prompt/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { z } from "zod";
import { ModelError } from "../../error/model-error.js";
import type { ScriptedAdapter } from "../../scripted/scripted-adapter.js";
import { agent, done, gate, Note, Notes, tool } from "../call/agent.test.support.js";
import { defineSubagentTool, type SubagentToolOptions } from "./define-subagent-tool.js";
import { treeOf } from "./merge-fork.test.support.js";
import { scripted, worker, writing } from "./subagent.test.support.js";

const Input = z.object({ who: z.string() });
type Options = Partial<SubagentToolOptions<"delegate", typeof Input, unknown>>;

/** An agent with one tool per subagent, each with its own model. */
function setup(
  models: Readonly<Record<string, ScriptedAdapter>>,
  options: Options = {},
  more: readonly Tool[] = [],
) {
  const files = new InMemoryFilesystem({ files: { "a.txt": "1\n2\n3\n4\n5\n" } });
  const tools = Object.entries(models).map(([who, adapter]) => {
    const made = defineSubagentTool({
      name: who,
      description: "Hand over work.",
      input: z.object({}),
      prompt: (_, filesystem) => worker(filesystem),
      adapter,
      ...options,
    } as SubagentToolOptions<string, z.ZodObject, unknown>);
    // The list contains tools of all types.
    return made as unknown as Tool;
  });
  return { ...agent({ files, tools: [...tools, ...more] }), files };
}

describe("a subagent tool", () => {
  it("returns the subagent's text and a summary of the file changes (AD-34)", async () => {
    const { call, content } = setup({
      delegate: writing({ "a.txt": "new", "b.txt": "b" }, "Fine."),
    });
    expect(await call("delegate")).toMatchObject({
      status: "succeeded",
      text: "The subagent is done.\n\nFine.\n\nWritten: 'a.txt', 'b.txt'.",
      result: { value: { text: "Fine.", finishReason: "completed", usage: { turns: 2 } } },
    });
    expect(await content("a.txt")).toBe("new");
  });

  it("passes its input to the prompt, and the subagent's output to the model as JSON (AD-34)", async () => {
    const delegate = defineSubagentTool({
      name: "delegate",
      description: "Hand over work.",
      input: Input,
      adapter: scripted(() => ({ text: { grade: 1 } })),
      prompt: ({ who }) => {
        const sections = [new MarkdownSection({ key: "task", title: "Task", template: who })];
        const output = z.object({ grade: z.number() });
        return new Prompt(
          new PromptTemplate({ ns: "tests", key: "grader", sections, output }),
        ).bind({});
      },
    });
    const { call } = agent({ tools: [delegate as unknown as Tool] });
    const { text } = await call("delegate", { who: "Ada" });
    expect(text).toBe('The subagent is done.\n\n{"grade":1}\n\nNo files were changed.');
    // Also as a plain handler without a loop.
    const result = await delegate.handler({ who: "Ada" }, createToolContext());
    expect(result).toMatchObject({ success: true, value: { output: { grade: 1 } } });
  });

  it("runs concurrently with others of the same turn and with reading calls, each on a fork of the same files (AD-34)", async () => {
    const [firstIsOn, secondIsOn] = [gate(), gate()];
    const meet = (mine: () => void, other: Promise<void>) => async () => {
      mine();
      await other;
    };
    const order: string[] = [];
    const starts = {
      first: meet(firstIsOn.open, secondIsOn.promise),
      second: meet(secondIsOn.open, firstIsOn.promise),
    };
    const prompt: Options["prompt"] = async (_, filesystem) => {
      const who = order.length === 0 ? "first" : "second";
      order.push(who);
      await starts[who]();
      return worker(filesystem);
    };
    const reads = tool(
      "look",
      async ({ filesystem }) => ok((await filesystem.read("a.txt")).content, ""),
      { access: "read" },
    );
    const { call, content, session } = setup(
      {
        one: writing({ "a.txt": "one\n2\n3\n4\n5\n" }),
        two: writing({ "a.txt": "1\n2\n3\n4\nfive\n" }),
      },
      { prompt },
      [
        reads,
        tool("after", async ({ filesystem }) => {
          await filesystem.write("after.txt", (await filesystem.read("a.txt")).content);
          return done();
        }),
      ],
    );
    const outcomes = await Promise.all(["one", "two", "look", "after"].map((name) => call(name)));
    expect(outcomes.map(({ status, text }) => [status, text.split("\n").at(-1)])).toEqual([
      ["succeeded", "Written: 'a.txt'."],
      ["succeeded", "Combined with concurrent changes: 'a.txt'."],
      ["succeeded", String.raw`"1\n2\n3\n4\n5\n"`],
      ["succeeded", "Done."],
    ]);
    expect(await content("a.txt")).toBe("one\n2\n3\n4\nfive\n");
    // A writing call that was made after them runs after them.
    expect(await content("after.txt")).toBe("one\n2\n3\n4\nfive\n");
    expect(session.events.of(EndToolCall).filter(({ payload }) => payload.undone)).toEqual([]);
  });

  it("waits for earlier writing calls (AD-34)", async () => {
    const { call, content } = setup({ delegate: writing({ "b.txt": "b" }) }, {}, [
      tool("write", async ({ filesystem }) => {
        await filesystem.write("a.txt", "before");
        return done();
      }),
    ]);
    const [, second] = await Promise.all([call("write"), call("delegate")]);
    expect(second?.text).toBe("The subagent is done.\n\nDone.\n\nWritten: 'b.txt'.");
    expect(await content("a.txt")).toBe("before");
  });

  it("fails with both sides of a conflict and changes nothing (AD-32, AD-34)", async () => {
    const { call, files, session } = setup({
      one: writing({ "a.txt": "ONE\n2\n3\n4\n5\n" }),
      two: writing({ "a.txt": "uno\n2\n3\n4\n5\n", "b.txt": "b" }),
    });
    const [, second] = await Promise.all([call("one"), call("two")]);
    expect(second).toMatchObject({ status: "failed", rolledBack: false });
    expect(second?.text).toBe(
      [
        "The subagent's work was not merged.",
        "Conflict in 'a.txt': the subagent and another change modified the same lines.",
        "--- now:\nONE\n2\n3\n4\n5\n",
        "--- by the subagent:\nuno\n2\n3\n4\n5\n",
        "Read these files. Make the changes yourself, or start the subagent again.",
      ].join("\n"),
    );
    expect(await treeOf(files)).toEqual({ "a.txt": "ONE\n2\n3\n4\n5\n" });
    expect(session.events.of(EndToolCall).filter(({ payload }) => payload.undone)).toEqual([]);
  });

  it("keeps both sides with keep-both (AD-32, AD-34)", async () => {
    const { call, files } = setup(
      { one: writing({ "a.txt": "ONE\n" }), two: writing({ "a.txt": "uno\n", "b.txt": "b" }) },
      { onConflict: "keep-both" },
    );
    const [, second] = await Promise.all([call("one"), call("two")]);
    expect(second?.text).toContain("; the subagent's is at 'a.txt.subagent'.");
    expect(await treeOf(files)).toEqual({
      "a.txt": "ONE\n",
      "a.txt.subagent": "uno\n",
      "b.txt": "b",
    });
  });

  it.each([
    {
      why: "ended early",
      options: { maxTurns: 1 },
      text: "The subagent stopped before it was done (max-turns).",
    },
    {
      why: "is nested too deep",
      options: { maxDepth: 0 },
      text: "The maximum nesting depth of subagents is reached.\nDo the work here.",
    },
    {
      why: "failed",
      options: { adapter: scripted([{ error: new ModelError("UNAUTHORIZED") }]) },
      text: "The subagent could not finish its work (UNAUTHORIZED).",
    },
  ])("reports that the subagent $why, and changes nothing (AD-34)", async ({ options, text }) => {
    const { call, files } = setup({ delegate: writing({ "b.txt": "b" }) }, options);
    const before = await treeOf(files);
    expect(await call("delegate")).toMatchObject({ status: "failed", text, rolledBack: false });
    expect(await treeOf(files)).toEqual(before);
  });

  it("checks policies once and counts once in the budget, although it runs in two parts (AD-34)", async () => {
    let asked = 0;
    const policy = {
      name: "count",
      check: () => {
        asked++;
        return { allowed: true as const };
      },
    };
    const made = defineSubagentTool({
      name: "delegate",
      description: "Hand over work.",
      input: z.object({}),
      adapter: writing({ "b.txt": "b" }),
      prompt: (_, filesystem) => worker(filesystem),
    });
    const budget = new Budget({ toolCalls: 10 });
    const { call } = agent({ tools: [made as unknown as Tool], policies: [policy] });
    expect(await call("delegate", {}, { budget })).toMatchObject({ status: "succeeded" });
    expect([asked, budget.spent.toolCalls]).toEqual([1, 2]);
  });

  it("ends when the call is aborted, in its first part and while it waits to merge (AD-34)", async () => {
    for (const abortWhen of ["running", "waiting"] as const) {
      const controller = new AbortController();
      const [reading, ran] = [gate(), gate()];
      const { call, files } = setup(
        { delegate: writing({ "b.txt": "b" }) },
        {
          onEvent: ({ type }) => {
            if (abortWhen === "running") controller.abort();
            if (type === "finished") ran.open();
          },
        },
        [tool("read", () => reading.promise.then(done), { access: "read" })],
      );
      const before = await treeOf(files);
      const reader = call("read");
      const delegated = call("delegate", {}, { signal: controller.signal });
      if (abortWhen === "waiting") {
        await ran.promise;
        controller.abort();
      }
      expect(await delegated).toMatchObject({ status: "aborted", rolledBack: false });
      reading.open();
      expect(await reader).toMatchObject({ status: "succeeded" });
      expect(await treeOf(files)).toEqual(before);
      // No lock is left.
      expect(await call("read")).toMatchObject({ status: "succeeded" });
    }
  });

  it("sees what earlier calls changed in the session, and its prompt is made once (AD-34)", async () => {
    const earlier = gate();
    const seen: unknown[] = [];
    const { call } = setup(
      { delegate: writing({ "b.txt": "b" }) },
      {
        prompt: (_, filesystem, below) => {
          seen.push(below.parent?.slice(Notes).all());
          return worker(filesystem);
        },
      },
      [
        tool(
          "plan",
          async ({ session }) => {
            await earlier.promise;
            session.dispatch(Note({ text: "planned" }));
            return done();
          },
          { access: "session" },
        ),
      ],
    );
    const planned = call("plan");
    const delegated = call("delegate");
    earlier.open();
    expect(await planned).toMatchObject({ status: "succeeded" });
    expect(await delegated).toMatchObject({ status: "succeeded" });
    expect(seen).toEqual([[{ text: "planned" }]]);
  });

  it("is refused inside a read-only call on the same files (AD-34)", async () => {
    const inner = defineTool({
      name: "outer",
      description: "Calls the other tool.",
      input: z.object({}),
      access: "read",
      handler: async (_, context) => {
        const outcome = await made.call("delegate", {}, { session: context.session });
        return ok(outcome.status, outcome.text);
      },
    });
    const made = setup({ delegate: writing({ "b.txt": "b" }) }, {}, [inner as unknown as Tool]);
    expect(await made.call("outer")).toMatchObject({ result: { value: "refused" } });
  });
});

it("a subagent tool on the host works on a fork in its own directory, which is deleted afterwards (AD-30, AD-34)", async () => {
  const directory = mkdtempSync(join(tmpdir(), "wink-subagent-test-"));
  const files = await HostFilesystem.open(directory);
  onTestFinished(async () => {
    await files.close();
    rmSync(directory, { recursive: true });
  });
  await files.write("a.txt", "1\n2\n3\n4\n5\n");
  const places: string[] = [];
  const delegates = [
    writing({ "a.txt": "one\n2\n3\n4\n5\n" }),
    writing({ "a.txt": "1\n2\n3\n4\nfive\n", "b/c.txt": "c" }),
  ].map((adapter, index) => {
    const made = defineSubagentTool({
      name: `delegate_${index}`,
      description: "Hand over work.",
      input: z.object({}),
      adapter,
      prompt: async (_, filesystem) => {
        places.push((await filesystem.snapshot()).rootPath);
        return worker(filesystem);
      },
    });
    return made as unknown as Tool;
  });
  const { call } = agent({ files, tools: delegates });
  const outcomes = await Promise.all([call("delegate_0"), call("delegate_1")]);
  expect(outcomes.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  expect(readFileSync(join(directory, "a.txt"), "utf8")).toBe("one\n2\n3\n4\nfive\n");
  expect(readFileSync(join(directory, "b/c.txt"), "utf8")).toBe("c");
  expect(new Set([...places, directory]).size).toBe(3);
  expect(places.map((place) => existsSync(place))).toEqual([false, false]);
});

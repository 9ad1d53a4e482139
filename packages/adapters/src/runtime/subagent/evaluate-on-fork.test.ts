import { InMemoryFilesystem } from "@wink/filesystem";
import { Budget, Deadline, fail, type ToolContext } from "@wink/prompt";
import { EndToolCall } from "@wink/prompt/adapter";
import type { Session } from "@wink/session";
import { describe, expect, it } from "vitest";
import { isAdapterError } from "../../error/adapter-error.js";
import { agent, done, gate, Note, tool } from "../call/agent.test.support.js";
import { ModelAdapter } from "../loop/model-adapter.js";
import { type EvaluateOnForkOptions, evaluateOnFork } from "./evaluate-on-fork.js";
import { treeOf } from "./merge-fork.test.support.js";
import { scripted, worker, writing } from "./subagent.test.support.js";

/** An agent with one tool, whose handler the test provides, and some files. */
function setup(handler: (context: ToolContext) => unknown, access: "read" | "write" = "write") {
  const files = new InMemoryFilesystem({ files: { "a.txt": "1\n2\n3\n4\n5\n" } });
  return { ...agent({ files, tools: [tool("delegate", handler, { access })] }), files };
}

function evaluate(context: ToolContext, options: Partial<EvaluateOnForkOptions> = {}) {
  return evaluateOnFork(context, { prompt: (filesystem) => worker(filesystem), ...options });
}

describe("a prompt on a fork", () => {
  it("merges its changes into the workspace, and keeps its events in a child session of the call's (AD-30)", async () => {
    const adapter = writing({ "a.txt": "one\n2\n3\n4\n5\n", "new.txt": "new" }, "Finished.");
    const parents: (Session | undefined)[] = [];
    const { call, files, session } = setup(async (context) => {
      const prompt: EvaluateOnForkOptions["prompt"] = (filesystem, below) => {
        parents.push(below.parent, below.parent?.parent);
        return worker(filesystem);
      };
      const result = await evaluate(context, { adapter, prompt });
      expect(parents[0]).toBe(context.session);
      expect(result.response.text).toBe("Finished.");
      expect(result.changes.map(({ path }) => path)).toEqual(["a.txt", "new.txt"]);
      expect(result).toMatchObject({ merged: true, written: ["a.txt", "new.txt"], conflicts: [] });
      expect(result.session.events.of(EndToolCall).length).toBe(2);
      expect(() => result.session.dispatch(Note({ text: "late" }))).toThrow(
        "the session is closed",
      );
      return done();
    });
    expect(await call("delegate")).toMatchObject({ status: "succeeded" });
    // A subagent can reach the run's session only through the call's handle.
    expect(parents[1]).toBeUndefined();
    expect(await treeOf(files)).toEqual({ "a.txt": "one\n2\n3\n4\n5\n", "new.txt": "new" });
    // The parent's log contains only the call.
    expect(session.events.of(EndToolCall).length).toBe(1);
  });

  it("is rolled back with its call (AD-30)", async () => {
    const { call, files } = setup(async (context) => {
      expect((await evaluate(context, { adapter: writing({ "new.txt": "new" }) })).merged).toBe(
        true,
      );
      expect(await context.filesystem.exists("new.txt")).toBe(true);
      return fail("After all, no.");
    });
    const before = await treeOf(files);
    expect(await call("delegate")).toMatchObject({ status: "failed", rolledBack: true });
    expect(await treeOf(files)).toEqual(before);
  });

  it("is invisible to others before it is merged (AD-30)", async () => {
    const adapter = scripted([
      { calls: [{ tool: "write_file", input: { path: "a.txt", content: "draft" } }] },
      () => {
        seen.push(peek());
        return { text: "Done." };
      },
    ]);
    const seen: Promise<string>[] = [];
    const { call, files } = setup(async (context) => {
      await evaluate(context, { adapter });
      return done();
    });
    const peek = async () => (await files.read("a.txt")).content;
    await call("delegate");
    expect(await Promise.all(seen)).toEqual(["1\n2\n3\n4\n5\n"]);
  });

  it("runs concurrently with others in one handler, and they merge in the order of the calls (AD-30, AD-31)", async () => {
    const later = gate();
    const slow = scripted([
      { calls: [{ tool: "write_file", input: { path: "a.txt", content: "one\n2\n3\n4\n5\n" } }] },
      { text: "slow" },
    ]);
    const { call, content } = setup(async (context) => {
      const first = evaluate(context, {
        adapter: slow,
        prompt: async (filesystem) => {
          await later.promise;
          return worker(filesystem);
        },
      });
      const second = evaluate(context, {
        adapter: writing({ "a.txt": "1\n2\n3\n4\nfive\n" }),
        onEvent: ({ type }) => type === "finished" && later.open(),
      });
      const third = evaluate(context, { adapter: writing({ "a.txt": "uno\n2\n3\n4\n5\n" }) });
      const results = await Promise.all([first, second, third]);
      expect(results.map(({ merged, combined }) => [merged, combined])).toEqual([
        [true, []],
        [true, ["a.txt"]],
        [false, []],
      ]);
      expect(results[2]?.conflicts).toMatchObject([{ path: "a.txt", reason: "both-changed" }]);
      return done();
    });
    expect(await call("delegate")).toMatchObject({ status: "succeeded" });
    expect(await content("a.txt")).toBe("one\n2\n3\n4\nfive\n");
  });

  it("cannot be merged by a tool that only reads (AD-30)", async () => {
    const { call, files, errors } = setup(async (context) => {
      await evaluate(context, { adapter: writing({ "new.txt": "new" }) });
      return done();
    }, "read");
    expect(await call("delegate")).toMatchObject({ status: "failed" });
    expect(errors).toMatchObject([{ code: "EROFS" }]);
    expect(await files.exists("new.txt")).toBe(false);
  });
});

describe("the limits of a subagent", () => {
  const usage = { inputTokens: 8, outputTokens: 2 };

  it("are a fraction of the call's budget, and its usage counts there too (AD-33)", async () => {
    const budget = new Budget({ tokens: 100, toolCalls: 9, bytesWritten: 1_000, costUsd: 1 });
    const left: unknown[] = [];
    const { call } = setup(async (context) => {
      const adapter = writing({ "a.txt": "12345" }, "Done.", usage);
      const prompt: EvaluateOnForkOptions["prompt"] = (filesystem) => {
        left.push(budget.remaining());
        return worker(filesystem);
      };
      await evaluate(context, { adapter, prompt, budget: 0.25 });
      return done();
    });
    await call("delegate", {}, { budget });
    // A quarter was reserved while it ran, and the unused rest was returned.
    expect(left).toMatchObject([{ tokens: 75, toolCalls: 6, bytesWritten: 750, costUsd: 0.75 }]);
    expect(budget.spent).toMatchObject({ tokens: 20, toolCalls: 2, bytesWritten: 10 });
    expect(budget.remaining()).toMatchObject({ tokens: 80, toolCalls: 7, costUsd: 1 });
  });

  it("end it when they are used up, and then nothing is merged without mergeUnfinished (AD-33)", async () => {
    for (const mergeUnfinished of [false, true]) {
      const { call, files } = setup(async (context) => {
        const adapter = writing({ "new.txt": "new" }, "Done.", usage);
        const limits = { budget: { tokens: 5 }, mergeUnfinished };
        const late = scripted([
          { calls: [{ tool: "write_file", input: { path: "new.txt", content: "new" } }] },
          { calls: [{ tool: "write_file", input: { path: "x.txt", content: "x" } }], usage },
        ]);
        const early = await evaluate(context, { adapter, ...limits });
        expect(early).toMatchObject({ response: { finishReason: "budget" }, changes: [] });
        const result = await evaluate(context, { adapter: late, ...limits });
        expect(result.response.finishReason).toBe("budget");
        expect(result.changes).toMatchObject([{ path: "new.txt", type: "added" }]);
        expect(result.merged).toBe(mergeUnfinished);
        return done();
      });
      expect(await call("delegate")).toMatchObject({ status: "succeeded" });
      expect(await files.exists("new.txt")).toBe(mergeUnfinished);
    }
  });

  it("are refused if the call has less left (AD-33)", async () => {
    const budget = new Budget({ tokens: 10 });
    const { call } = setup(async (context) => {
      await evaluate(context, { adapter: writing({}), budget: { tokens: 11 } });
      return done();
    });
    const { status, text } = await call("delegate", {}, { budget });
    expect([status, text]).toEqual([
      "failed",
      "delegate failed: budget: 11 tokens wanted, 10 left.",
    ]);
    await expect(call("delegate", {}, { budget })).resolves.toMatchObject({ status: "failed" });
    expect(budget.remaining().tokens).toBe(10);
  });

  it("include the call's deadline and abort signal (AD-33)", async () => {
    const deadlines: (Deadline | undefined)[] = [];
    const hanging = (started: () => void) =>
      new ModelAdapter({
        name: "hanging",
        ask: (_, { signal }) => {
          started();
          return new Promise((__, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
          });
        },
      });
    const controller = new AbortController();
    const soon = Deadline.in("1h");
    const { call, files } = setup(async (context) => {
      const adapter = hanging(() => controller.abort(new Error("enough")));
      deadlines.push(context.deadline);
      await evaluate(context, { adapter, deadline: Deadline.in("2h") });
      return done();
    });
    const outcome = await call("delegate", {}, { signal: controller.signal, deadline: soon });
    expect(outcome.status).toBe("aborted");
    expect(deadlines).toEqual([soon]);
    expect(await treeOf(files)).toEqual({ "a.txt": "1\n2\n3\n4\n5\n" });

    const passed = setup(async (context) => {
      const adapter = hanging(() => {});
      const result = await evaluate(context, { adapter, deadline: Deadline.at(Date.now() - 1) });
      expect(result).toMatchObject({ merged: false, response: { finishReason: "deadline" } });
      return done();
    });
    expect(await passed.call("delegate")).toMatchObject({ status: "succeeded" });
  });

  it("are reported to the model if a handler does not catch the error (AD-33)", async () => {
    const { call } = setup(async (context) => {
      await evaluate(context, { adapter: writing({}), maxDepth: 0 });
      return done();
    });
    expect((await call("delegate")).text).toBe(
      "delegate failed: subagent: the maximum nesting depth is reached. Do the work here.",
    );
  });

  it("include the nesting depth of subagents (AD-33)", async () => {
    const refusals: unknown[] = [];
    const dig = (depth: number) =>
      tool("dig", async (context) => {
        try {
          await evaluateOnFork(context, {
            adapter: scripted([{ calls: [{ tool: "dig" }] }, { text: "up" }]),
            maxDepth: 2,
            prompt: (filesystem) => worker(filesystem, [dig(depth + 1)]),
          });
        } catch (error) {
          refusals.push([depth, isAdapterError(error, "TOO_DEEP")]);
        }
        return done();
      });
    expect(await agent({ tools: [dig(1)] }).call("dig")).toMatchObject({ status: "succeeded" });
    expect(refusals).toEqual([[3, true]]);
  });
});

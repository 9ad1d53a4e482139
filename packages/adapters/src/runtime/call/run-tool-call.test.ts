import {
  FilesystemError,
  type FilesystemSnapshot,
  type FileWriter,
  InMemoryFilesystem,
  isSnapshotable,
} from "@wink/filesystem";
import {
  approveCall,
  Budget,
  Deadline,
  defineTool,
  deny,
  FilesystemSnapshots,
  fail,
  ok,
  pendingApprovals,
  requireApproval,
  type ToolContext,
} from "@wink/prompt";
import { EndToolCall, StartToolCall } from "@wink/prompt/adapter";
import { Session, SessionError } from "@wink/session";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  agent,
  change,
  done,
  failed,
  gate,
  Note,
  Notes,
  never,
  tool,
} from "./agent.test.support.js";

const UNDONE = "Everything it did was undone: changes to 'a.txt' and 1 event.";

describe("a call that succeeds", () => {
  it("commits files and session, and returns the result (AD-1)", async () => {
    const { call, content, notes, session } = agent({ tools: [tool("set", change("new"))] });
    expect(await call("set")).toEqual({
      toolCallId: "call-1",
      toolName: "set",
      status: "succeeded",
      result: { success: true, value: undefined, message: "Done." },
      text: "Done.",
      rolledBack: false,
    });
    expect([await content(), notes()]).toEqual(["new", ["new"]]);
    expect(session.events.of(Note)[0]?.meta).toEqual({ toolCallId: "call-1" });
  });

  it("records its start and its end in the session's log, with the resulting state (AD-9)", async () => {
    const { call, session } = agent({ tools: [tool("set", change("new"))] });
    await call("set");
    expect(session.events.of(StartToolCall).map(({ payload }) => payload)).toEqual([
      { toolCallId: "call-1", tool: "set", access: "write", effects: "external" },
    ]);
    const [ended] = session.events.of(EndToolCall);
    expect(ended?.payload).toMatchObject({ status: "succeeded", success: true });
    const note = session.events.of(Note)[0]?.sequence ?? 0;
    expect(ended?.payload.sequence).toBeGreaterThanOrEqual(note);
    expect(ended?.payload.undone).toBe(undefined);
  });

  it("passes its handler a new, frozen context (AD-1)", async () => {
    const contexts: ToolContext[] = [];
    const look = tool("look", (context) => {
      contexts.push(context);
      return done();
    });
    const { call } = agent({ tools: [look] });
    await call("look");
    await call("look");
    expect(contexts.map((context) => Object.isFrozen(context))).toEqual([true, true]);
    expect(contexts[0]).not.toBe(contexts[1]);
    expect(contexts[0]?.session).toBeInstanceOf(Session);
  });
});

describe("an invalid call", () => {
  it.each(["nothing", "SET", "__proto__", "constructor", "x".repeat(5_000)])(
    "of the unknown tool %.20s is answered with the list of tools (F153, AD-2)",
    async (name) => {
      const { call, content } = agent({ tools: [tool("set", change("new"))] });
      const outcome = await call(name);
      expect(outcome.status).toBe("unknown");
      expect(outcome.text).toMatch(/^There is no tool ".*"\.\nThe tools are: set\.$/);
      expect(outcome.text.length).toBeLessThan(200);
      expect(await content()).toBe("old");
    },
  );

  it.each([
    ["no JSON", "{nope"],
    ["a trailing comma", '{"a":1,}'],
    ["a cut stream", '{"a":"b'],
    ["null", "null"],
    ["a list", "[1]"],
    ["a string", '"text"'],
    ["10 MB", JSON.stringify({ a: "x".repeat(10_000_000) })],
    ["10,000 levels", `{"a":${"[".repeat(10_000)}${"]".repeat(10_000)}}`],
    ["undefined", undefined],
    ["an unknown field", { a: 1, ["y".repeat(100_000)]: 2 }],
    ["a text for a number", { a: "5" }],
    ["digits of another script", { a: "٥" }],
    ["a missing field", {}],
  ])(
    "with %s in the arguments is answered with a short message (F154, F155, AD-2)",
    async (_, sent) => {
      let ran = 0;
      const strict = defineTool({
        name: "strict",
        description: "Takes a number.",
        input: z.strictObject({ a: z.number() }),
        access: "write",
        handler: () => {
          ran++;
          return ok(undefined, "Done.");
        },
      });
      const { call } = agent({ tools: [strict as never] });
      const outcome = await call("strict", sent);
      expect(outcome.status).toBe("invalid");
      expect(outcome.text.length).toBeLessThan(2_500);
      expect(ran).toBe(0);
    },
  );

  it("that a policy denies does not run, and the answer says why (AD-3)", async () => {
    const policies = [{ name: "never", check: () => deny("Read it first.") }];
    const { call, content } = agent({ tools: [tool("set", change("new"))], policies });
    expect(await call("set")).toMatchObject({ status: "denied", text: "Read it first." });
    expect(await content()).toBe("old");
  });

  it("that needs an approval uses it only once (AD-3)", async () => {
    const { call, session } = agent({
      tools: [tool("set", change("new"))],
      policies: [requireApproval(() => true)],
    });
    expect((await call("set")).status).toBe("denied");
    for (const request of pendingApprovals(session)) approveCall(session, request);
    expect((await call("set")).status).toBe("succeeded");
    expect((await call("set")).status).toBe("denied");
  });
});

describe("a call that fails", () => {
  it.each([
    ["fails", failed, "It did not work."],
    [
      "throws an error",
      throws(new Error("/home/me/secret")),
      "set failed because of an internal error.",
    ],
    ["throws a string", throws("/home/me"), "set failed because of an internal error."],
    ["throws undefined", throws(undefined), "set failed because of an internal error."],
    [
      "throws a frozen object",
      throws(Object.freeze({})),
      "set failed because of an internal error.",
    ],
    [
      "throws an object that throws when it is read",
      throws(hostile()),
      "set failed because of an internal error.",
    ],
    [
      "throws a filesystem error",
      throws(new FilesystemError("ENOENT", { operation: "read", path: "x" })),
      "set failed: 'x': no such file or directory.",
    ],
  ])(
    "is rolled back when it %s, and the answer lists the undone changes (F156, F180, AD-4)",
    async (_, then, message) => {
      const { call, content, notes, session } = agent({
        tools: [tool("set", change("new", then))],
      });
      expect(await call("set")).toMatchObject({
        status: "failed",
        text: `${message} ${UNDONE}`,
        rolledBack: true,
      });
      expect([await content(), notes()]).toEqual(["old", []]);
      expect(session.events.of(EndToolCall)[0]?.payload.undone).toEqual({
        reason: "the tool failed",
        paths: ["a.txt"],
        events: 1,
        complete: true,
      });
    },
  );

  it.each([
    ["nothing", undefined],
    ["a text", "ok"],
    ["no message", { success: true, value: 1 }],
    ["no value", { success: true, message: "x" }],
    ["a bigint", ok(1n, "x")],
    ["a function", ok({ run: () => 1 }, "x")],
    ["a map", ok(new Map(), "x")],
    ["a circular value", ok(circle(), "x")],
    ["too much", ok("x".repeat(20_000_001), "x")],
  ])("is rolled back when it returns %s (F157, AD-4)", async (_, answer) => {
    const { call, content, notes } = agent({
      tools: [
        tool(
          "set",
          change("new", () => answer),
        ),
      ],
    });
    const outcome = await call("set");
    expect(outcome.status).toBe("failed");
    expect(outcome.text).toContain(UNDONE);
    expect([await content(), notes()]).toEqual(["old", []]);
  });

  it("is rolled back when its value does not match its output schema (F157, AD-4)", async () => {
    const count = defineTool({
      name: "count",
      description: "Counts.",
      input: z.object({}),
      output: z.object({ count: z.number() }),
      access: "write",
      handler: async (_, { filesystem }) => {
        await filesystem.write("a.txt", "new");
        return ok({ count: "many" } as never, "Counted.");
      },
    });
    const { call, content } = agent({ tools: [count as never] });
    expect((await call("count")).text).toBe(
      "count returned a value that does not match its output schema, so the call counts as failed. Everything it did was undone: changes to 'a.txt'.",
    );
    expect(await content()).toBe("old");
  });

  it("cuts out the middle of a long answer and says how much (F179, AD-2)", async () => {
    const { call } = agent({ tools: [tool("say", () => ok(undefined, "😀".repeat(100_000)))] });
    const { text, status } = await call("say");
    expect(status).toBe("succeeded");
    expect(text.length).toBeLessThan(100_100);
    expect(text).toContain("of 200000 characters are left out here");
    expect(text.isWellFormed()).toBe(true);
  });

  it("keeps a long message of its handler, and does not mention unchanged files (AD-2, AD-4)", async () => {
    const test = tool("test", async ({ filesystem }) => {
      await filesystem.write("../x", "").catch(() => {});
      return fail("x".repeat(50_000));
    });
    const { call } = agent({ tools: [test] });
    const { text, rolledBack } = await call("test");
    expect([/^x+$/.test(text), text.length, rolledBack]).toEqual([true, 50_000, false]);
  });

  it("is refused and not run if the files have no transactions (AD-4)", async () => {
    const files = new InMemoryFilesystem({ files: { "a.txt": "old" } });
    const bare = Object.assign(Object.create(files), { begin: undefined });
    const { call } = agent({ tools: [tool("set", change("new"))], files: bare });
    expect(await call("set")).toMatchObject({
      status: "refused",
      text: "set was not run: changes to its files could not be undone.",
    });
    expect((await files.read("a.txt")).content).toBe("old");
  });

  it("reports for an opaque tool that only the workspace was undone (AD-4)", async () => {
    const shell = tool("shell", change("new", failed), { access: "opaque" });
    const { call, content } = agent({ tools: [shell] });
    expect((await call("shell")).text).toContain("what it did outside the workspace was not");
    expect(await content()).toBe("old");
  });
});

describe("a cancelled call", () => {
  it("ends at its timeout and is rolled back (F158, AD-5)", async () => {
    const { call, content, notes } = agent({
      tools: [tool("set", change("new", never), { timeoutMs: 5 })],
    });
    expect(await call("set")).toMatchObject({
      status: "timed-out",
      text: `set timed out. ${UNDONE}`,
      rolledBack: true,
    });
    expect([await content(), notes()]).toEqual(["old", []]);
  });

  it("cannot write later, because files and session refuse it (F159, AD-6)", async () => {
    const late = gate<unknown[]>();
    const zombie = tool(
      "zombie",
      async ({ filesystem, session, signal }) => {
        const writer = await filesystem.openWrite("b.txt");
        await writer.write("half");
        const reader = await filesystem.openRead("a.txt");
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        await new Promise((resolve) => setTimeout(resolve, 20));
        late.open(
          await Promise.all([
            codeOf(() => filesystem.write("a.txt", "late")),
            codeOf(() => filesystem.read("a.txt")),
            codeOf(() => filesystem.delete("a.txt")),
            codeOf(() => writer.write("late")),
            codeOf(() => writer.close()),
            codeOf(() => reader.read()),
            codeOf(() => session.dispatch(Note({ text: "late" }))),
            codeOf(() => session.slice(Notes).append({ text: "late" })),
          ]),
        );
        return done();
      },
      { timeoutMs: 5 },
    );
    const { call, content, notes, files } = agent({ tools: [zombie] });
    expect((await call("zombie")).status).toBe("timed-out");
    expect(await late.promise).toEqual([
      ...["EBADF", "EBADF", "EBADF", "EBADF", "EBADF", "EBADF"],
      ...["SESSION_CLOSED", "SESSION_CLOSED"],
    ]);
    expect([await content(), notes(), await files.exists("b.txt")]).toEqual(["old", [], false]);
  });

  it("has its handle revoked, also after a success, and open streams are closed (F159, AD-6)", async () => {
    let kept: ToolContext | undefined;
    let writer: FileWriter | undefined;
    const leave = tool("leave", async (context) => {
      kept = context;
      writer = await context.filesystem.openWrite("b.txt");
      await writer.write("half");
      return done();
    });
    const { call, files } = agent({ tools: [leave] });
    expect((await call("leave")).status).toBe("succeeded");
    expect(await codeOf(() => kept?.filesystem.write("a.txt", "late"))).toBe("EBADF");
    expect(await codeOf(() => writer?.close())).toBe("EBADF");
    expect(await files.exists("b.txt")).toBe(false);
  });

  it("does not start when the deadline has passed (F161, AD-5)", async () => {
    const { call, content } = agent({ tools: [tool("set", change("new"))] });
    const outcome = await call("set", {}, { deadline: Deadline.at(0) });
    expect(outcome).toMatchObject({
      status: "deadline",
      text: "set was cancelled because the deadline of the task has passed. It changed nothing.",
    });
    expect(await content()).toBe("old");
  });

  it.each(["begin", "rollback"] as const)(
    "finishes its file operation when the deadline passes during %s (F161, F162, AD-5)",
    async (moment) => {
      const controller = new AbortController();
      const files = slow(moment, () => controller.abort(new Error("stop")));
      const { call, content, notes } = agent({
        tools: [tool("set", change("new", failed))],
        files,
      });
      const outcome = await call("set", {}, { signal: controller.signal });
      expect(outcome.status).toBe(moment === "begin" ? "aborted" : "failed");
      expect(controller.signal.aborted).toBe(true);
      expect([await content(), notes()]).toEqual(["old", []]);
    },
  );

  it("leaves the queue when it is aborted while waiting (AD-5)", async () => {
    const held = gate();
    const { call, content } = agent({
      tools: [
        tool(
          "slow",
          change("slow", () => held.promise.then(done)),
        ),
        tool("set", change("new")),
      ],
    });
    const first = call("slow");
    const controller = new AbortController();
    const second = call("set", {}, { signal: controller.signal });
    controller.abort(new Error("stop"));
    expect((await second).status).toBe("aborted");
    held.open();
    expect((await first).status).toBe("succeeded");
    expect(await content()).toBe("slow");
  });

  it("whose handler blocks the process is cancelled only when it stops blocking (F160, AD-5)", async () => {
    const block = tool(
      "block",
      async ({ filesystem }) => {
        const until = performance.now() + 30;
        while (performance.now() < until);
        await new Promise((resolve) => setTimeout(resolve, 0));
        await filesystem.write("a.txt", "late");
        return done();
      },
      { timeoutMs: 5 },
    );
    const { call, content } = agent({ tools: [block] });
    expect((await call("block")).status).toBe("timed-out");
    expect(await content()).toBe("old");
  });
});

it("the session's log contains neither arguments nor results (F181, AD-9)", async () => {
  const echo = defineTool({
    name: "echo",
    description: "Says it again.",
    input: z.object({ text: z.string() }),
    access: "write",
    handler: ({ text }) => (text.endsWith("!") ? fail(text) : ok({ text }, text)),
  });
  const { call, session } = agent({ tools: [echo as never] });
  expect((await call("echo", { text: "hunter2" })).text).toContain("hunter2");
  expect((await call("echo", { text: "hunter2!" })).text).toContain("hunter2");
  expect((await call("echo", { password: "hunter2" })).status).toBe("invalid");
  expect(JSON.stringify(session.events.toArray())).not.toContain("hunter2");
});

describe("a budget", () => {
  it("counts calls and bytes, and a call that would exceed it is refused (AD-10)", async () => {
    const budget = new Budget({ toolCalls: 1 });
    const { call } = agent({ tools: [tool("set", change("four"))] });
    expect((await call("set", {}, { budget })).status).toBe("succeeded");
    expect((await call("set", {}, { budget })).status).toBe("refused");
    expect(budget.spent).toMatchObject({ toolCalls: 1, bytesWritten: 4 });
  });
});

async function codeOf(work: () => unknown): Promise<unknown> {
  try {
    await work();
    return "done";
  } catch (error) {
    return error instanceof FilesystemError || error instanceof SessionError ? error.code : error;
  }
}

function throws(error: unknown) {
  return () => {
    throw error;
  };
}

function circle(): unknown {
  const value: Record<string, unknown> = {};
  value["self"] = value;
  return value;
}

function hostile(): unknown {
  return new Proxy(
    {},
    {
      get: () => throws(new Error("get"))(),
      has: () => throws(new Error("has"))(),
    },
  );
}

/** A filesystem that is slow to begin or to roll back, and calls `duringIt` during that time. */
function slow(moment: "begin" | "rollback", duringIt: () => void): InMemoryFilesystem {
  const wait = async () => {
    await new Promise((resolve) => setTimeout(resolve, 2));
    duringIt();
    await new Promise((resolve) => setTimeout(resolve, 2));
  };
  return new (class extends InMemoryFilesystem {
    override async begin(options?: Parameters<InMemoryFilesystem["begin"]>[0]) {
      if (moment === "begin") await wait();
      const { commit, rollback, ...rest } = await super.begin(options);
      return {
        ...rest,
        commit,
        async rollback() {
          if (moment === "rollback") await wait();
          await rollback();
        },
      };
    }
  })({ files: { "a.txt": "old" } });
}

it.each([
  ["fetch failed", "fetch failed. Everything"],
  ["fetch failed\n", "fetch failed. Everything"],
  ["fetch failed.", "fetch failed. Everything"],
  ["Is it there?\n\n", "Is it there? Everything"],
  ['see "a.txt."', 'see "a.txt." Everything'],
  ["", "Everything"],
])(
  "a failure with the message %j ends with a sentence of its own about undone changes (AD-72)",
  async (message, start) => {
    const { call } = agent({
      tools: [
        tool("set", async (context) => {
          await context.filesystem.write("a.txt", "new");
          return fail(message);
        }),
      ],
    });
    expect((await call("set")).text.trimStart()).toBe(
      `${start} it did was undone: changes to 'a.txt'.`,
    );
  },
);

it("snapshots that a handler takes and deletes are recorded in the session (AD-151)", async () => {
  const taken: FilesystemSnapshot[] = [];
  const { call, session, files } = agent({
    tools: [
      tool("take", async ({ filesystem }) => {
        if (!isSnapshotable(filesystem)) return fail("no snapshots");
        taken.push(await filesystem.snapshot({ tag: "before" }));
        taken.push(await filesystem.importSnapshot(filesystem.exportSnapshot(taken[0] as never)));
        return done();
      }),
      tool("drop", async ({ filesystem }) => {
        if (!isSnapshotable(filesystem)) return fail("no snapshots");
        await filesystem.deleteSnapshot(taken[0] as FilesystemSnapshot);
        await filesystem.prune({ maxCount: 0 });
        return done();
      }),
    ],
  });
  const recorded = () => session.slice(FilesystemSnapshots).all();
  expect((await call("take")).status).toBe("succeeded");
  expect(recorded()).toEqual(taken);
  if (!isSnapshotable(files)) throw new Error("the files have no snapshots");
  await files.write("a.txt", "later");
  await files.restore(recorded()[0] as FilesystemSnapshot);
  expect((await files.read("a.txt")).content).toBe("old");
  expect((await call("drop")).status).toBe("succeeded");
  expect(recorded()).toEqual([]);
});

it("a snapshot in a call that fails is not recorded, and one of a nested call is recorded once (AD-151)", async () => {
  const { call, session, files } = agent({
    tools: [
      tool("fail", async ({ filesystem }) => {
        if (isSnapshotable(filesystem)) await filesystem.snapshot();
        return fail("No.");
      }),
      tool("outer", async (context) => {
        const inside = agent({
          files: context.filesystem,
          session: context.session,
          tools: [take],
        });
        return (await inside.call("take")).result;
      }),
    ],
  });
  await call("fail");
  expect(session.slice(FilesystemSnapshots).size).toBe(0);
  expect((await call("outer")).status).toBe("succeeded");
  expect(session.slice(FilesystemSnapshots).size).toBe(1);
  expect(isSnapshotable(files) && (await files.snapshots()).length).toBe(2);
});

const take = tool("take", async ({ filesystem }) => {
  if (isSnapshotable(filesystem)) await filesystem.snapshot();
  return done();
});

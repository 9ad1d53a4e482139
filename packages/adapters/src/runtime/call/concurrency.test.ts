import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { allow, fail, ok, type ToolPolicy } from "@wink/prompt";
import { EndToolCall } from "@wink/prompt/adapter";
import { defineSlice, Session } from "@wink/session";
import { describe, expect, it } from "vitest";
import { resourceOf } from "../transaction/call-resource.js";
import { blockCalls, recover } from "../transaction/failed-rollbacks.js";
import { SessionHandle } from "../transaction/session-handle.js";
import { agent, change, done, failed, gate, Note, Notes, tool } from "./agent.test.support.js";

const LateNotes = defineSlice({ name: "test.late", schema: Note.schema, reducers: () => [] });

describe("concurrent calls", () => {
  it("overlap if they only read (F163, AD-7)", async () => {
    const both = gate();
    let inside = 0;
    const look = tool(
      "look",
      async () => {
        if (++inside === 2) both.open();
        await both.promise;
        return done();
      },
      { access: "read" },
    );
    const { call } = agent({ tools: [look] });
    const outcomes = await Promise.all([call("look"), call("look")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["succeeded", "succeeded"]);
  });

  it("cannot write if their tool is read-only (AD-7)", async () => {
    const { call, content } = agent({ tools: [tool("look", change("new"), { access: "read" })] });
    expect((await call("look")).text).toBe("look failed: 'a.txt': the filesystem is read-only.");
    expect(await content()).toBe("old");
  });

  it("run one at a time and in order if they write, with reads in between (F163, AD-7)", async () => {
    const add = (mark: string) =>
      tool(`add_${mark}`, async ({ filesystem }) => {
        const { content } = await filesystem.read("a.txt");
        await new Promise((resolve) => setTimeout(resolve, 1));
        await filesystem.write("a.txt", content + mark);
        return done();
      });
    const read = tool(
      "read",
      async ({ filesystem }) => ok((await filesystem.read("a.txt")).content, "Read."),
      { access: "read" },
    );
    const { call, content } = agent({ tools: [add("1"), add("2"), read] });
    const outcomes = await Promise.all(
      ["add_1", "read", "add_2", "read"].map((name) => call(name)),
    );
    expect(outcomes.map(({ text }) => text)).toEqual([
      "Done.",
      'Read.\n\n"old1"',
      "Done.",
      'Read.\n\n"old12"',
    ]);
    expect(await content()).toBe("old12");
  });

  it("keep the changes of a later call when an earlier one fails (F164, AD-7)", async () => {
    const slowly = change("bad", async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return failed();
    });
    const { call, content, notes } = agent({
      tools: [tool("first", slowly), tool("second", change("good"))],
    });
    const outcomes = await Promise.all([call("first"), call("second")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["failed", "succeeded"]);
    expect([await content(), notes()]).toEqual(["good", ["good"]]);
  });

  it("run one at a time and in order if they change the session, and overlap in files (AD-7)", async () => {
    const order: string[] = [];
    const plan = (name: string) =>
      tool(
        name,
        async ({ session, filesystem }) => {
          order.push(`${name} begins`);
          expect(filesystem.readOnly).toBe(true);
          await filesystem.read("a.txt");
          session.dispatch(Note({ text: name }));
          order.push(`${name} ends`);
          return name === "b" ? fail("No.") : done();
        },
        { access: "session" },
      );
    const { call, notes } = agent({ tools: [plan("a"), plan("b"), plan("c")] });
    const outcomes = await Promise.all([call("a"), call("b"), call("c")]);
    expect(outcomes.map(({ status }) => status)).toEqual(["succeeded", "failed", "succeeded"]);
    expect(outcomes[1]?.text).toBe("No. Everything it did was undone: 1 event.");
    expect(notes()).toEqual(["a", "c"]);
    expect(order).toEqual(["a", "b", "c"].flatMap((name) => [`${name} begins`, `${name} ends`]));
  });

  it("cannot write files if their tool only changes the session (AD-7)", async () => {
    const { call, content, notes } = agent({
      tools: [tool("plan", change("new"), { access: "session" })],
    });
    expect((await call("plan")).text).toBe("plan failed: 'a.txt': the filesystem is read-only.");
    expect([await content(), notes()]).toEqual(["old", []]);
  });

  it("cannot change the session if their tool is read-only, and the error says what to declare (AD-7)", async () => {
    const changes: Readonly<Record<string, (session: Session) => unknown>> = {
      dispatch: (session) => session.dispatch(Note({ text: "x" })),
      append: (session) => session.slice(Notes).append({ text: "x" }),
      install: (session) => session.install(LateNotes),
      restore: (session) => session.restore(session.snapshot()),
      reset: (session) => session.reset(),
    };
    for (const change of Object.values(changes)) {
      const look = tool(
        "look",
        ({ session }) => {
          change(session);
          return done();
        },
        { access: "read" },
      );
      const { call, errors, notes } = agent({ tools: [look] });
      expect((await call("look")).text).toBe("look failed because of an internal error.");
      expect(notes()).toEqual([]);
      expect(errors).toMatchObject([
        {
          code: "SESSION_READ_ONLY",
          message:
            "tool 'look': its access is 'read', so it cannot change the session. Declare access 'session'.",
        },
      ]);
    }
  });
});

it("a call that reads the session sees the changes of all earlier calls (F163, AD-7)", async () => {
  const setup = tool(
    "setup",
    async ({ session }) => {
      await new Promise((resolve) => setTimeout(resolve, 2));
      session.dispatch(Note({ text: "plan" }));
      return done();
    },
    { access: "session" },
  );
  const look = tool("look", ({ session }) => ok(session.slice(Notes).size, "Looked."), {
    access: "read",
  });
  const { call } = agent({ tools: [setup, look] });
  const outcomes = await Promise.all(["look", "setup", "look"].map((name) => call(name)));
  expect(outcomes.map(({ text }) => text)).toEqual(["Looked.\n\n0", "Done.", "Looked.\n\n1"]);
});

it("policies may record in the session, also for a tool that only reads (AD-3)", async () => {
  const policy: ToolPolicy = {
    name: "notes",
    check: ({ context: { session } }) => {
      session.dispatch(Note({ text: "checked" }));
      return allow();
    },
    succeeded: ({ context: { session } }) => void session.dispatch(Note({ text: "succeeded" })),
  };
  const { call, notes } = agent({
    policies: [policy],
    tools: [tool("look", done, { access: "read" }), tool("set", change("new", failed))],
  });
  expect((await call("look")).status).toBe("succeeded");
  expect((await call("set")).status).toBe("failed");
  expect(notes()).toEqual(["checked", "succeeded", "checked"]);
});

it("what a policy records about a success belongs to the call (AD-3, AD-8)", async () => {
  const policy: ToolPolicy = {
    name: "notes",
    check: () => allow(),
    succeeded: ({ tool: { name }, context: { session } }) =>
      void session.dispatch(Note({ text: `${name} succeeded` })),
  };
  const { call, notes } = agent({
    policies: [policy],
    tools: [
      tool("inner", change("inner")),
      tool(
        "outer",
        change("outer", async ({ session }) => {
          expect((await call("inner", {}, { session })).status).toBe("succeeded");
          expect(notes()).toEqual(["outer", "inner", "inner succeeded"]);
          return failed();
        }),
      ),
    ],
  });
  expect((await call("outer")).status).toBe("failed");
  expect(notes()).toEqual([]);
});

describe("a nested call", () => {
  it.each([
    { inner: "succeeds", outer: "succeeds", files: "inner", events: ["outer", "inner"] },
    { inner: "fails", outer: "succeeds", files: "outer", events: ["outer"] },
    { inner: "succeeds", outer: "fails", files: "old", events: [] },
  ])(
    "has its transaction inside the outer one: inner $inner, outer $outer (F165, AD-8)",
    async (row) => {
      const { call, content, notes } = agent({
        tools: [
          tool(
            "inner",
            change("inner", () => (row.inner === "fails" ? failed() : done())),
          ),
          tool(
            "outer",
            change("outer", async ({ session }) => {
              const { status } = await call("inner", {}, { session });
              expect(status).toBe(row.inner === "fails" ? "failed" : "succeeded");
              return row.outer === "fails" ? failed() : done();
            }),
          ),
        ],
      });
      await call("outer");
      expect([await content(), notes()]).toEqual([row.files, row.events]);
    },
  );

  it("does not wait for the outer one if its session is a child of that one's (F165, AD-8)", async () => {
    const { call, content } = agent({
      tools: [
        tool("inner", change("inner")),
        tool("outer", async (context) => {
          const child = new Session({ parent: context.session, slices: [Notes] });
          return (await call("inner", {}, { session: child })).result;
        }),
      ],
    });
    expect((await call("outer")).status).toBe("succeeded");
    expect(await content()).toBe("inner");
  });

  it("may not write if the outer one only reads (F165, AD-8)", async () => {
    const { call, content } = agent({
      tools: [
        tool("inner", change("inner")),
        tool("outer", async ({ session }) => (await call("inner", {}, { session })).result, {
          access: "read",
        }),
      ],
    });
    expect((await call("outer")).text).toMatch(
      /^inner changes files, so a read-only tool cannot run it\./,
    );
    expect(await content()).toBe("old");
  });

  it("may not change the session if the outer one only reads, but may read (F165, AD-8)", async () => {
    const note = ({ session }: { readonly session: Session }) => {
      session.dispatch(Note({ text: "inner" }));
      return done();
    };
    const { call, notes, session } = agent({
      tools: [
        tool("inner", note, { access: "session" }),
        tool("look", done, { access: "read" }),
        tool(
          "outer",
          async (context) => {
            const handles = { session: context.session };
            expect((await call("inner", {}, handles)).text).toBe(
              "inner changes the session, so a read-only tool cannot run it.",
            );
            return (await call("look", {}, handles)).result;
          },
          { access: "read" },
        ),
      ],
    });
    expect((await call("outer")).status).toBe("succeeded");
    expect(notes()).toEqual([]);
    const ended = session.events.of(EndToolCall).map(({ payload }) => payload.tool);
    expect(ended).toEqual(["inner", "look", "outer"]);
  });

  it("ends when the outer one ends (F165, AD-8)", async () => {
    let inner: Promise<{ status: string }> | undefined;
    const { call, content, notes } = agent({
      tools: [
        tool(
          "inner",
          change("inner", () => new Promise(() => {})),
        ),
        tool(
          "outer",
          async ({ session }) => {
            inner = call("inner", {}, { session });
            await inner;
            return done();
          },
          { timeoutMs: 5 },
        ),
      ],
    });
    expect((await call("outer")).status).toBe("timed-out");
    expect((await inner)?.status).toBe("aborted");
    expect([await content(), notes()]).toEqual(["old", []]);
  });
});

describe("a rollback that fails", () => {
  it("makes every later call refused until recover succeeds (F166, F167, AD-11)", async () => {
    const files = unreliable();
    const { call, content, notes, session, errors } = agent({
      tools: [tool("set", change("new", failed)), tool("look", done, { access: "read" })],
      files,
    });
    files.broken = true;
    const outcome = await call("set");
    expect(outcome.status).toBe("failed");
    expect(outcome.text).toContain("What it did could not be undone.");
    expect(session.events.of(EndToolCall)[0]?.payload.undone?.complete).toBe(false);
    expect(errors.some((error) => error instanceof AggregateError)).toBe(true);
    expect((await call("look")).status).toBe("refused");
    await expect(recover(session)).rejects.toThrow("the call could not be undone");
    expect((await call("set")).status).toBe("refused");

    files.broken = false;
    await recover(session);
    expect([await content(), notes()]).toEqual(["old", []]);
    expect((await call("look")).status).toBe("succeeded");
    await recover(session);
  });

  it("of the session alone also blocks later calls, and recover repairs both (F167, AD-11)", async () => {
    const stuck = new (class extends Session {
      isStuck = true;
      override restore(...args: Parameters<Session["restore"]>) {
        if (this.isStuck) throw new Error("the log is gone");
        super.restore(...args);
      }
    })({ slices: [Notes] });
    const { call, content, notes, session } = agent({
      tools: [tool("set", change("new", failed)), tool("look", done, { access: "read" })],
      session: stuck,
    });
    expect((await call("set")).text).toContain("could not be undone");
    expect((await call("look")).status).toBe("refused");
    stuck.isStuck = false;
    await recover(session);
    expect([await content(), notes()]).toEqual(["old", []]);
  });

  it("of a nested call can be recovered by the outer handler, which does not wait for itself (AD-66, AD-11)", async () => {
    const files = unreliable();
    const { call, content, notes, session } = agent({
      files,
      tools: [
        tool("inner", change("inner", failed)),
        tool(
          "outer",
          change("outer", async (context) => {
            files.broken = true;
            const handles = { session: context.session };
            expect((await call("inner", {}, handles)).text).toContain("could not be undone");
            expect((await call("inner", {}, handles)).status).toBe("refused");
            await expect(recover(context.session)).rejects.toThrow("could not be undone");
            files.broken = false;
            await recover(context.filesystem);
            expect((await call("inner", {}, handles)).rolledBack).toBe(true);
            return done();
          }),
        ),
      ],
    });
    expect((await call("outer")).status).toBe("succeeded");
    expect([await content(), notes()]).toEqual(["outer", ["outer"]]);
    await recover(session);
  });

  it("cannot be recovered by a read-only handler, which would wait for itself (AD-66)", async () => {
    const [reading, broken] = [gate(), gate()];
    const files = unreliable();
    const { call } = agent({
      files,
      tools: [
        tool(
          "look",
          async ({ filesystem }) => {
            reading.open();
            await broken.promise;
            await expect(recover(filesystem)).rejects.toMatchObject({ code: "SESSION_BUSY" });
            return done();
          },
          { access: "read" },
        ),
      ],
    });
    const looking = call("look");
    await reading.promise;
    blockCalls([resourceOf(files)], async () => {});
    broken.open();
    expect((await looking).status).toBe("succeeded");
    await recover(files);
  });

  it("blocks later calls if a file operation does not end, and nothing is undone before it has (F166, AD-11)", async () => {
    const stuck = gate();
    const files = new (class extends InMemoryFilesystem {
      override async write(...args: Parameters<InMemoryFilesystem["write"]>) {
        await stuck.promise;
        const { signal: _, ...options } = args[2] ?? {};
        return await super.write(args[0], args[1], options);
      }
    })({ files: { "a.txt": "old" } });
    const { call, content, session } = agent({
      tools: [tool("set", change("new"), { timeoutMs: 5 })],
      files,
    });
    const outcome = await call("set", {}, { limits: { settleMs: 10 } });
    expect(outcome.status).toBe("timed-out");
    expect(outcome.text).toContain("could not be undone");
    stuck.open();
    await recover(session);
    expect(await content()).toBe("old");
  });
});

describe("on the host", () => {
  it.each(["write", "opaque"] as const)(
    "a failed call of a tool with %s access is rolled back in files and session (F167, AD-4)",
    async (access) => {
      await using host = await hostFiles();
      const shell = tool(
        "shell",
        async ({ filesystem, session }) => {
          await filesystem.write("a.txt", "new");
          if (access === "opaque") await writeFile(join(host.root, "side.txt"), "back");
          session.dispatch(Note({ text: "new" }));
          return failed();
        },
        { access },
      );
      const { call, notes } = agent({ tools: [shell], files: host.files });
      expect((await call("shell")).rolledBack).toBe(true);
      expect(await readFile(join(host.root, "a.txt"), "utf8")).toBe("old");
      expect(await host.files.exists("side.txt")).toBe(false);
      expect(notes()).toEqual([]);
    },
  );

  it.each(["in memory", "on the host"])(
    "a restore inside a failed call is rolled back, %s (AD-4)",
    async (place) => {
      await using host = await hostFiles();
      const files =
        place === "in memory" ? new InMemoryFilesystem({ files: { "a.txt": "old" } }) : host.files;
      const before = await files.snapshot();
      await files.write("a.txt", "kept");
      const back = tool("back", async ({ filesystem }) => {
        await filesystem.write("b.txt", "new");
        if (!("restore" in filesystem)) throw new Error("no snapshots");
        await (filesystem as typeof files).restore(before);
        await filesystem.write("c.txt", "new");
        return failed();
      });
      const { call } = agent({ tools: [back], files });
      expect((await call("back")).rolledBack).toBe(true);
      expect((await files.list()).map(({ name }) => name)).toEqual(["a.txt"]);
      expect((await files.read("a.txt")).content).toBe("kept");
    },
  );
});

it("the session handle overrides every method of the base class (AD-6)", () => {
  const own = Object.getOwnPropertyNames(SessionHandle.prototype);
  expect(
    Object.getOwnPropertyNames(Session.prototype).filter((name) => !own.includes(name)),
  ).toEqual([]);
});

/** A filesystem whose transactions cannot be rolled back while `broken` is set. */
function unreliable() {
  return new (class extends InMemoryFilesystem {
    broken = false;
    override async begin(options?: Parameters<InMemoryFilesystem["begin"]>[0]) {
      const transaction = await super.begin(options);
      return {
        ...transaction,
        rollback: async () => {
          if (this.broken) throw new Error("the disk is gone");
          await transaction.rollback();
        },
      };
    }
  })({ files: { "a.txt": "old" } });
}

async function hostFiles() {
  const root = await mkdtemp(join(tmpdir(), "wink-adapters-"));
  await writeFile(join(root, "a.txt"), "old");
  const files = await HostFilesystem.open(root);
  return {
    root,
    files,
    async [Symbol.asyncDispose]() {
      await files.close();
      await rm(root, { recursive: true });
    },
  };
}

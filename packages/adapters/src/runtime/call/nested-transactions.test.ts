import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type FilesystemTransaction,
  InMemoryFilesystem,
  isSnapshotError,
  type SnapshotableFilesystem,
} from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import type { ToolContext } from "@wink/prompt";
import { EndToolCall } from "@wink/prompt/adapter";
import { Session } from "@wink/session";
import { describe, expect, it, onTestFinished } from "vitest";
import { recover } from "../transaction/failed-rollbacks.js";
import { agent, change, done, failed, gate, Note, tool } from "./agent.test.support.js";

const FILES = { "a.txt": "old" };
const BACKENDS: Readonly<Record<string, () => Promise<SnapshotableFilesystem>>> = {
  memory: async () => new InMemoryFilesystem({ files: FILES }),
  host: openHost,
};

describe.each(Object.keys(BACKENDS))("a handler's own transaction on %s", (backend) => {
  it.each([
    { transaction: "left open", ends: done, files: { "a.txt": "old" } },
    { transaction: "left open", ends: failed, files: { "a.txt": "old" } },
    { transaction: "commit", ends: done, files: { "a.txt": "first", "c.txt": "after" } },
    { transaction: "commit", ends: failed, files: { "a.txt": "old" } },
    { transaction: "rollback", ends: done, files: { "a.txt": "old" } },
    { transaction: "rollback", ends: failed, files: { "a.txt": "old" } },
  ] as const)(
    "can end in every way after a restore inside it: $transaction, then $ends.name (AD-58)",
    async ({ transaction, ends, files: expected }) => {
      for (const access of ["write", "opaque"] as const)
        for (const full of [false, true]) {
          const made = await open(backend);
          const first = await made.files.snapshot();
          await made.files.write("a.txt", "old");
          const { call, session } = agent({
            files: made.files,
            tools: [
              tool(
                "set",
                async (context) => {
                  const files = filesOf(context);
                  const own = await files.begin({ full });
                  await files.write("b.txt", "before");
                  await files.restore(first);
                  await files.write("c.txt", "after");
                  if (transaction !== "left open") await own[transaction]();
                  return ends();
                },
                { access },
              ),
              tool("look", done, { access: "read" }),
            ],
          });
          expect((await call("set")).text).not.toContain("could not be undone");
          expect(await made.tree()).toEqual(expected);
          expect((await call("look")).status).toBe("succeeded");
          await recover(session);
        }
    },
  );

  it("ends together with the outer ones after a restore, innermost first (AD-58)", async () => {
    const made = await open(backend);
    const first = await made.files.snapshot();
    const codes: unknown[] = [];
    const { call } = agent({
      files: made.files,
      tools: [
        tool("set", async (context) => {
          const files = filesOf(context);
          await files.write("a.txt", "1");
          const outer = await files.begin();
          await files.write("a.txt", "2");
          const inner = await files.begin();
          await files.restore(first);
          codes.push(await codeOf(outer.commit()), await codeOf(outer.rollback()));
          await inner.commit();
          codes.push(await codeOf(inner.rollback()), await codeOf(inner.commit()));
          codes.push((await files.read("a.txt")).content);
          await outer.rollback();
          return done();
        }),
      ],
    });
    expect((await call("set")).status).toBe("succeeded");
    const ended = "TRANSACTION_ENDED";
    expect(codes).toEqual([ended, ended, ended, ended, "first"]);
    expect(await made.tree()).toEqual({ "a.txt": "1" });
  });

  it("is queued when it begins during a restore, so that both can be undone (AD-58)", async () => {
    const made = await open(backend);
    const first = await made.files.snapshot();
    const { call } = agent({
      files: made.files,
      tools: [
        tool("set", async (context) => {
          const files = filesOf(context);
          await files.write("a.txt", "1");
          const restoring = files.restore(first);
          const own = await files.begin();
          await files.write("a.txt", "2");
          await restoring;
          await own.rollback();
          expect((await files.read("a.txt")).content).toBe("first");
          return failed();
        }),
      ],
    });
    expect((await call("set")).rolledBack).toBe(true);
    expect(await made.tree()).toEqual({ "a.txt": "first" });
  });

  it.each(["commit", "rollback", "left open"] as const)(
    "blocks nested writing calls while it is open, but not reading calls: %s (AD-59)",
    async (end) => {
      const made = await open(backend);
      const { call, notes, session } = agent({
        files: made.files,
        tools: [
          tool("inner", change("inner")),
          tool("look", done, { access: "read" }),
          tool("outer", async (context) => {
            const own = await filesOf(context).begin();
            const handles = { session: context.session };
            expect(await call("inner", {}, handles)).toMatchObject({
              status: "refused",
              rolledBack: false,
              text: "inner was not run: the tool that calls it has an open transaction on the same files. It must end that transaction first.",
            });
            expect((await call("look", {}, handles)).status).toBe("succeeded");
            if (end === "left open") return done();
            await own[end]();
            expect((await call("inner", {}, handles)).status).toBe("succeeded");
            return done();
          }),
        ],
      });
      expect((await call("outer")).status).toBe("succeeded");
      const wasCalled = end !== "left open";
      expect(await made.tree()).toEqual({ "a.txt": wasCalled ? "inner" : "first" });
      expect(notes()).toEqual(wasCalled ? ["inner"] : []);
      const invoked = session.events
        .of(EndToolCall)
        .filter(({ payload }) => payload.tool === "inner");
      expect(invoked.map(({ payload }) => payload.success)).toEqual(
        wasCalled ? [false, true] : [false],
      );
    },
  );

  it("is refused, like a restore, while a nested call is writing (AD-59)", async () => {
    const made = await open(backend);
    const first = await made.files.snapshot();
    const [begun, go] = [gate(), gate()];
    const codes: unknown[] = [];
    const { call } = agent({
      files: made.files,
      tools: [
        tool("inner", async ({ filesystem }) => {
          await filesystem.write("b.txt", "inner");
          begun.open();
          await go.promise;
          return done();
        }),
        tool("outer", async (context) => {
          const files = filesOf(context);
          const inner = call("inner", {}, { session: context.session });
          await begun.promise;
          codes.push(await codeOf(files.begin()), await codeOf(files.restore(first)));
          go.open();
          expect((await inner).status).toBe("succeeded");
          await using own: FilesystemTransaction = await files.begin();
          await own.commit();
          return done();
        }),
      ],
    });
    expect((await call("outer")).status).toBe("succeeded");
    expect(codes).toEqual(["BUSY", "BUSY"]);
    expect(await made.tree()).toEqual({ "a.txt": "first", "b.txt": "inner" });
  });
});

it.each(["session", "files"])(
  "a nested call, recognised by its %s, can begin and restore like any other (AD-58)",
  async (known) => {
    for (const ends of [done, failed]) {
      const made = await open("memory");
      const first = await made.files.snapshot();
      const inner = tool("inner", async (context) => {
        const files = filesOf(context);
        const own = await files.begin();
        await files.write("b.txt", "inner");
        await own.commit();
        await files.restore(first);
        await files.write("c.txt", "inner");
        return ends();
      });
      const outer = tool("outer", async (context) => {
        const files = filesOf(context);
        await files.write("a.txt", "outer");
        const given = known === "files" ? { files } : { files: made.files };
        const inside = agent({ tools: [inner], ...given, session: context.session });
        expect((await inside.call("inner")).result.success).toBe(ends === done);
        // The nested call's transaction has ended, so the handler can begin one.
        const own = await files.begin();
        await own.rollback();
        return done();
      });
      const { call } = agent({ tools: [outer], files: made.files });
      expect((await call("outer")).status).toBe("succeeded");
      expect(await made.tree()).toEqual(
        ends === done ? { "a.txt": "first", "c.txt": "inner" } : { "a.txt": "outer" },
      );
    }
  },
);

it("a call can be rolled back although its handler left a child session open (AD-58)", async () => {
  const { call, content, notes, session } = agent({
    tools: [
      tool(
        "set",
        change("new", (context) => {
          context.session.hold();
          const child = new Session({ parent: context.session });
          child.hold();
          // A handler cannot restore its session while a child session is busy.
          expect(() => context.session.restore(context.session.snapshot())).toThrow(
            expect.objectContaining({ code: "SESSION_BUSY" }),
          );
          context.session.dispatch(Note({ text: "more" }));
          return failed();
        }),
      ),
      tool("look", done, { access: "read" }),
    ],
  });
  expect((await call("set")).rolledBack).toBe(true);
  expect([await content(), notes()]).toEqual(["old", []]);
  expect((await call("look")).status).toBe("succeeded");
  session.restore(session.snapshot());
});

async function open(backend: string) {
  const files = await (BACKENDS[backend] ?? openHost)();
  await files.write("a.txt", "first");
  return {
    files,
    tree: async () => {
      const names = (await files.list()).map(({ name }) => name);
      const contents = names.map(async (name) => [name, (await files.read(name)).content] as const);
      return Object.fromEntries(await Promise.all(contents));
    },
  };
}

async function openHost(): Promise<SnapshotableFilesystem> {
  const root = await mkdtemp(join(tmpdir(), "wink-adapters-"));
  await writeFile(join(root, "a.txt"), "old");
  const files = await HostFilesystem.open(root);
  onTestFinished(async () => {
    await files.close();
    await rm(root, { recursive: true });
  });
  return files;
}

function filesOf({ filesystem }: ToolContext): SnapshotableFilesystem {
  if (!("begin" in filesystem)) throw new Error("the filesystem has no transactions");
  // A filesystem with transactions implements the whole interface.
  return filesystem as SnapshotableFilesystem;
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "done";
  } catch (error) {
    if (isSnapshotError(error)) return error.code;
    throw error;
  }
}

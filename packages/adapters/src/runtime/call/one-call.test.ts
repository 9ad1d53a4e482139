import { InMemoryFilesystem } from "@wink/filesystem";
import { defineTool, ok, readBeforeWrite, type Tool, viewOf } from "@wink/prompt";
import { ReadLedger } from "@wink/prompt/adapter";
import { expect, it } from "vitest";
import { z } from "zod";
import { agent, Note } from "./agent.test.support.js";

it("a call is checked once, runs once, asks for its files once, and records four events at most (AD-7, AD-9)", async () => {
  const { call, session, counts, operations } = setup();
  await call("read_file", { path: "./a.txt" });
  const { lastSequence } = session.events;
  counts.clear();
  operations.length = 0;
  expect(await call("edit_file", { path: "./a.txt" })).toMatchObject({ status: "succeeded" });

  expect(Object.fromEntries(counts)).toEqual({ schema: 1, handler: 1, changes: 1, contexts: 1 });
  // The policy's stat is the only one: the revision comes from the write.
  expect(operations).toEqual(["stat", "read", "write"]);
  const events = session.events.toArray().filter(({ sequence }) => sequence > lastSequence);
  expect(events.map(({ type }) => type)).toEqual([
    "run.start-tool-call",
    "test.note",
    "files.change",
    "run.end-tool-call",
  ]);
});

it("the model knows the revision that a write reported, under every spelling of the path (PR-24, AD-9)", async () => {
  const { call, session, files } = setup();
  expect((await call("edit_file", { path: "a.txt" })).status).toBe("denied");
  await call("read_file", { path: "/a.txt" });
  for (const path of ["./a.txt", "x/../a.txt", "a.txt"])
    expect((await call("edit_file", { path })).status).toBe("succeeded");
  const { revision } = await files.stat("a.txt");
  expect(session.slice(ReadLedger).all()).toMatchObject([{ path: "a.txt", revision }]);
  await files.write("a.txt", "changed by another program");
  expect((await call("edit_file", { path: "a.txt" })).text).toContain("changed by another program");
});

it("a call that is rolled back teaches the model nothing (PR-24, AD-4)", async () => {
  const { call, session } = setup();
  await call("read_file", { path: "a.txt" });
  const before = session.slice(ReadLedger).all();
  expect((await call("edit_file", { path: "a.txt", fails: true })).rolledBack).toBe(true);
  expect(session.slice(ReadLedger).all()).toEqual(before);
});

/** Counts what a call does. */
function setup() {
  const counts = new Map<string, number>();
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1);
  const contexts = new WeakSet<object>();
  const operations: string[] = [];
  const files = new (class extends InMemoryFilesystem {
    override stat(...args: Parameters<InMemoryFilesystem["stat"]>) {
      operations.push("stat");
      return super.stat(...args);
    }
    override read(...args: Parameters<InMemoryFilesystem["read"]>) {
      operations.push("read");
      return super.read(...args);
    }
    override write(...args: Parameters<InMemoryFilesystem["write"]>) {
      operations.push("write");
      return super.write(...args);
    }
  })({ files: { "a.txt": "old" } });
  const readFile = defineTool({
    name: "read_file",
    description: "Read a file.",
    input: z.object({ path: z.string() }),
    access: "read",
    handler: async ({ path }, { filesystem }) => ok(await filesystem.read(path), "Read."),
    files: { views: (_, page) => [viewOf(page)] },
  });
  const schema = z.object({ path: z.string(), fails: z.boolean().default(false) });
  const editFile = defineTool({
    name: "edit_file",
    description: "Edit a file.",
    input: schema.refine(() => count("schema")),
    access: "write",
    async handler({ path, fails }, context) {
      count("handler");
      const { filesystem, session } = context;
      if (!contexts.has(context)) count("contexts");
      const { content } = await filesystem.read(path);
      const written = await filesystem.write(path, `${content} new`);
      session.dispatch(Note({ text: "edited" }));
      if (fails) throw new Error("as planned");
      return ok(written, "Edited.");
    },
    files: {
      changes: ({ path }) => {
        count("changes");
        return [{ path, extent: "part" }];
      },
    },
  });
  const policy = readBeforeWrite();
  const seesContext: typeof policy = {
    ...policy,
    check(call) {
      count("contexts");
      contexts.add(call.context);
      return policy.check(call);
    },
  };
  const tools = [readFile, editFile] as unknown as readonly Tool[];
  return { ...agent({ files, tools, policies: [seesContext] }), files, counts, operations };
}

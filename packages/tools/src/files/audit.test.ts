import { InMemoryFilesystem } from "@wink/filesystem";
import fc from "fast-check";
import { expect, it } from "vitest";
import { replayFiles } from "./replay-files.js";
import { vfsFiles } from "./virtual-file-system.js";
import { contentsOf, openWorkspace } from "./workspace.test.support.js";

const MOUNTED = {
  "a.txt": "one\ntwo\n",
  "d/b.txt": "b\r\nb\r\n",
  "d/e/c.bin": Uint8Array.of(0xff, 0x61, 0xfe),
};

const path = fc.constantFrom(
  "a.txt",
  "d/b.txt",
  "d/e/c.bin",
  "d",
  "d/e",
  "n.txt",
  "x/y.txt",
  "x",
  "../out",
  "a.txt/z",
);
const text = fc.constantFrom("a", "b", "one", "$&", "", "é\n", "\r\n");
const call = fc.oneof(
  fc.record({
    tool: fc.constant("write_file"),
    input: fc.record({
      path,
      content: text,
      mode: fc.constantFrom("create", "overwrite", "append"),
    }),
  }),
  fc.record({
    tool: fc.constant("edit_file"),
    input: fc.record({ path, old_string: text, new_string: text, replace_all: fc.boolean() }),
  }),
  fc.record({
    tool: fc.constant("multi_edit"),
    input: fc.record({
      path,
      edits: fc.array(fc.record({ old_string: text, new_string: text }), { maxLength: 2 }),
    }),
  }),
  fc.record({
    tool: fc.constantFrom("move", "copy"),
    input: fc.record({ source: path, destination: path, overwrite: fc.boolean() }),
  }),
  fc.record({ tool: fc.constant("rm"), input: fc.record({ path }) }),
);

it("replayFiles reproduces the exact files of any run from the mounted files (TL-8)", async () => {
  let changes = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(call, { minLength: 20, maxLength: 40 }), async (calls) => {
      const { session, filesystem, call: run } = await openWorkspace(MOUNTED);
      for (const { tool, input } of calls) await run(tool, input);
      const replayed = new InMemoryFilesystem({ files: MOUNTED });
      await replayFiles(session.events, replayed, undefined, { workspace: "vfs" });
      const contents = await contentsOf(filesystem);
      expect(await contentsOf(replayed)).toEqual(contents);

      // The slice contains the same files and sizes.
      const known = vfsFiles(session);
      expect(Object.fromEntries(known.map((file) => [file.path, file.sizeBytes]))).toEqual(
        Object.fromEntries(Object.entries(contents).map(([at, content]) => [at, content.length])),
      );
      changes += session.events.length - 1;
    }),
    { numRuns: 150 },
  );
  expect(changes).toBeGreaterThan(300);
});

it("VirtualFileSystem counts versions from the mounted file and names writer, tool and call (TL-7)", async () => {
  const { session, ask } = await openWorkspace(MOUNTED);
  const fileAt = (at: string) => vfsFiles(session).find((file) => file.path === at);
  expect(fileAt("a.txt")).toEqual({
    workspace: "vfs",
    path: "a.txt",
    version: 0,
    sizeBytes: 8,
    lastWriter: "mount",
    tool: "",
    toolCallId: "",
  });
  await ask("edit_file", { path: "a.txt", old_string: "one", new_string: "1" });
  await ask("write_file", { path: "a.txt", content: "3\n", mode: "append" });
  expect(fileAt("a.txt")).toEqual({
    workspace: "vfs",
    path: "a.txt",
    version: 2,
    sizeBytes: 8,
    lastWriter: "testing/empty",
    tool: "write_file",
    toolCallId: "call-1",
  });
  await ask("move", { source: "d", destination: "moved" });
  expect(fileAt("d/b.txt")).toBeUndefined();
  expect(fileAt("moved/b.txt")).toMatchObject({ version: 1, tool: "move" });
  await ask("rm", { path: "moved" });
  expect(vfsFiles(session).map((file) => file.path)).toEqual(["a.txt"]);
});

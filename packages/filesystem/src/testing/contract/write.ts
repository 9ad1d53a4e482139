import assert from "node:assert/strict";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";
import { treeOf } from "./tree-of.js";

const text = async (fs: { read(path: string): Promise<{ content: string }> }, path: string) =>
  (await fs.read(path)).content;

export const write = defineArea("write", {
  "reports what it wrote (FS-25)": async (open) => {
    const fs = await open();
    const { revision, ...rest } = await fs.write("a.txt", "héllo\n");
    assert.deepEqual(rest, { path: "a.txt", bytesWritten: 7, mode: "overwrite" });
    assert.equal((await fs.stat("a.txt")).revision, revision);
  },
  "creates a file and fails when it exists (FS-25)": async (open) => {
    const fs = await open();
    assert.equal((await fs.write("a", "1", { mode: "create" })).mode, "create");
    await expectFailure(fs.write("a", "2", { mode: "create" }), "EEXIST", {
      operation: "write",
      path: "a",
    });
    await expectFailure(fs.writeBytes("a", new Uint8Array(), { mode: "create" }), "EEXIST", {
      operation: "writeBytes",
    });
    await expectFailure(fs.openWrite("a", { mode: "create" }), "EEXIST", {
      operation: "openWrite",
    });
    assert.equal(await text(fs, "a"), "1");
  },
  "replaces a file, or creates it when it does not exist (FS-25)": async (open) => {
    const fs = await open();
    await fs.write("a", "long before");
    await fs.write("a", "now");
    await fs.write("b", "new", { mode: "overwrite" });
    assert.deepEqual(await treeOf(fs), { a: "now", b: "new" });
  },
  "appends to a file, or creates it when it does not exist (FS-25)": async (open) => {
    const fs = await open();
    const first = await fs.write("a", "one", { mode: "append" });
    const second = await fs.write("a", " two", { mode: "append" });
    const third = await fs.writeBytes("a", Uint8Array.of(33), { mode: "append" });
    assert.deepEqual([first.bytesWritten, second.bytesWritten, third.bytesWritten], [3, 4, 1]);
    assert.equal(await text(fs, "a"), "one two!");
    assert.equal((await fs.stat("a")).revision, third.revision);
  },
  "appends text to binary data, and one half of a character to the other (FS-25)": async (open) => {
    const fs = await open();
    await fs.writeBytes("a", Uint8Array.of(0xff));
    await fs.write("a", "x", { mode: "append" });
    assert.deepEqual([...(await fs.readBytes("a")).content], [0xff, 120]);
    await fs.writeBytes("b", Uint8Array.of(0xc3));
    await fs.writeBytes("b", Uint8Array.of(0xa9), { mode: "append" });
    assert.equal(await text(fs, "b"), "é");
  },
  "refuses an unknown mode (FS-25)": async (open) => {
    const fs = await open();
    // Possible for callers without types.
    const options = { mode: "truncate" as "append" };
    await expectFailure(fs.write("a", "", options), "EINVAL", { operation: "write" });
    await expectFailure(fs.writeBytes("a", new Uint8Array(), options), "EINVAL");
    await expectFailure(fs.openWrite("a", options), "EINVAL");
    assert.deepEqual(await treeOf(fs), {});
  },
  "makes missing parents, unless createParents is false (FS-26)": async (open) => {
    const fs = await open();
    await fs.write("a/b/c.txt", "1");
    assert.equal((await fs.stat("a/b")).isDirectory, true);
    await expectFailure(fs.write("x/y.txt", "1", { createParents: false }), "ENOENT");
    await expectFailure(fs.openWrite("x/y.txt", { createParents: false }), "ENOENT");
    await fs.write("a/b/d.txt", "2", { createParents: false });
    assert.deepEqual(await treeOf(fs), {
      a: null,
      "a/b": null,
      "a/b/c.txt": "1",
      "a/b/d.txt": "2",
    });
  },
  ...eachRow(
    [
      { path: "folder", code: "EISDIR" },
      { path: "file/x", code: "ENOTDIR" },
      { path: "file/x/y", code: "ENOTDIR" },
    ] as const,
    ({ path, code }) => `fails with ${code} for ${path} in every write call (FS-65)`,
    ({ path, code }) =>
      async (open) => {
        const fs = await open();
        await fs.write("file", "1");
        await fs.mkdir("folder");
        for (const mode of ["create", "overwrite", "append"] as const) {
          await expectFailure(fs.write(path, "2", { mode }), code, { operation: "write", path });
          await expectFailure(fs.writeBytes(path, Uint8Array.of(2), { mode }), code);
          await expectFailure(fs.openWrite(path, { mode }), code, { operation: "openWrite", path });
        }
        assert.deepEqual(await treeOf(fs), { file: "1", folder: null });
      },
  ),
  "with an expected revision, writes only if the file still has it (FS-27)": async (open) => {
    const fs = await open();
    const { revision } = await fs.write("a", "1");
    const second = await fs.write("a", "2", { ifRevision: revision });
    await expectFailure(fs.write("a", "3", { ifRevision: revision }), "ESTALE");
    await expectFailure(fs.writeBytes("a", Uint8Array.of(3), { ifRevision: revision }), "ESTALE");
    await expectFailure(fs.write("a", "3", { ifRevision: revision, mode: "append" }), "ESTALE");
    await expectFailure(fs.openWrite("a", { ifRevision: revision }), "ESTALE");
    assert.equal(await text(fs, "a"), "2");
    await fs.delete("a");
    await expectFailure(fs.write("a", "3", { ifRevision: second.revision }), "ESTALE");
    assert.equal(await fs.exists("a"), false);
  },
  "changes the revision exactly when the content changes (B70, FS-21, FS-29)": async (open) => {
    const fs = await open();
    const first = await fs.write("a", "same");
    assert.equal((await fs.write("a", "same")).revision, first.revision);
    assert.equal((await fs.write("a", "", { mode: "append" })).revision, first.revision);
    assert.equal(
      (await fs.writeBytes("a", new TextEncoder().encode("same"))).revision,
      first.revision,
    );
    const second = await fs.write("a", "sama");
    assert.notEqual(second.revision, first.revision);
    const third = await fs.write("a", "!", { mode: "append" });
    assert.notEqual(third.revision, second.revision);
  },
  ...eachRow(
    ["\ud800", "ok \udc00 not ok", "\udc00\ud800"],
    (content) => `refuses ${JSON.stringify(content)}, which has half a surrogate pair (B56, FS-28)`,
    (content) => async (open) => {
      const fs = await open();
      await fs.write("a", "before");
      await expectFailure(fs.write("a", content), "EINVAL");
      await expectFailure(fs.write("b/c", content), "EINVAL");
      assert.deepEqual(await treeOf(fs), { a: "before" });
    },
  ),
  "refuses content of another kind (FS-28)": async (open) => {
    const fs = await open();
    for (const content of [undefined, null, 7, Uint8Array.of(1), {}])
      await expectFailure(fs.write("a", content as string), "EINVAL", { operation: "write" });
    for (const content of [undefined, null, "text", [1, 2], new ArrayBuffer(2)])
      await expectFailure(fs.writeBytes("a", content as unknown as Uint8Array), "EINVAL");
    assert.deepEqual(await treeOf(fs), {});
  },
  "copies the bytes that it is given (FS-28)": async (open) => {
    const fs = await open();
    const bytes = Uint8Array.of(1, 2, 3);
    await fs.writeBytes("a", bytes);
    bytes.fill(9);
    assert.deepEqual([...(await fs.readBytes("a")).content], [1, 2, 3]);
    const writer = await fs.openWrite("b");
    await writer.write(bytes);
    bytes.fill(7);
    await writer.close();
    assert.deepEqual([...(await fs.readBytes("b")).content], [9, 9, 9]);
  },
  "writes only the viewed part of a larger buffer (FS-28)": async (open) => {
    const fs = await open();
    await fs.writeBytes("a", Uint8Array.of(1, 2, 3, 4, 5).subarray(1, 3));
    await fs.writeBytes("b", Buffer.from("hello").subarray(1, 4));
    assert.deepEqual([...(await fs.readBytes("a")).content], [2, 3]);
    assert.equal(await text(fs, "b"), "ell");
  },
  "sets and clears the execute bits, and else leaves them (FS-30)": async (open) => {
    const fs = await open();
    const isExecutable = async () => ((await fs.stat("run.sh")).mode & 0o111) !== 0;
    await fs.write("run.sh", "1");
    assert.equal(await isExecutable(), false);
    await fs.write("run.sh", "2", { executable: true });
    assert.equal(await isExecutable(), true);
    await fs.write("run.sh", "3");
    assert.equal(await isExecutable(), true);
    await fs.write("run.sh", "3", { executable: false });
    assert.equal(await isExecutable(), false);
  },
  "carries the execute bits along with a copy and a move (FS-30)": async (open) => {
    const fs = await open();
    await fs.write("d/run.sh", "1", { executable: true });
    await fs.copy("d", "e");
    await fs.move("d/run.sh", "moved.sh");
    for (const path of ["e/run.sh", "moved.sh"])
      assert.notEqual((await fs.stat(path)).mode & 0o111, 0);
  },
  "is not affected by later changes of the given bytes, also in a Buffer (FS-20, FS-28)": async (
    open,
  ) => {
    const fs = await open();
    const given = Buffer.from("given");
    // Also while the write is queued.
    const before = fs.write("new/first", "1");
    const writing = fs.writeBytes("a", given);
    given.fill("x");
    await Promise.all([before, writing]);
    const writer = await fs.openWrite("new/b");
    const chunk = Buffer.from("given");
    const chunkWriting = writer.write(chunk);
    chunk.fill("x");
    await chunkWriting;
    await writer.close();
    for (const path of ["a", "new/b"]) {
      (await fs.readBytes(path)).content.fill(0);
      await using reader = await fs.openRead(path);
      (await reader.read()).fill(0);
      assert.equal(await text(fs, path), "given");
    }
  },
  "makes no parent directories when it is refused (FS-61, FS-72)": async (open) => {
    const fs = await open({ limits: { maxWriteBytes: 10 } });
    await expectFailure(fs.write("a/b/c", "x".repeat(11)), "EFBIG");
    await expectFailure(fs.write("a/b/c", "x", { ifRevision: "none" }), "ESTALE");
    assert.deepEqual(await treeOf(fs), {});
  },
  "writes many files into one directory, and each can be read (B71)": async (open) => {
    const fs = await open();
    for (let index = 0; index < 300; index++) await fs.write(`d/f${index}`, String(index));
    for (let index = 0; index < 300; index += 37)
      assert.equal(await text(fs, `d/f${index}`), String(index));
    assert.equal((await fs.list("d")).length, 300);
  },
});

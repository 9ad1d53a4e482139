import assert from "node:assert/strict";
import type { FileReader } from "../../protocol/filesystem.js";
import { defineArea } from "./contract-case.js";
import { expectFailure, failureOf } from "./expect-failure.js";
import { textStreams } from "./text-streams.js";
import { treeOf } from "./tree-of.js";

async function chunkSizes(reader: FileReader): Promise<readonly number[]> {
  const sizes: number[] = [];
  for await (const chunk of reader) sizes.push(chunk.length);
  return sizes;
}

export const streams = defineArea("streams", {
  "read in chunks of 64 KiB (FS-51)": async (open) => {
    const fs = await open();
    await fs.write("big", "x".repeat(200_000));
    const reader = await fs.openRead("big");
    assert.deepEqual([reader.path, reader.sizeBytes, reader.position], ["big", 200_000, 0]);
    assert.deepEqual(await chunkSizes(reader), [65_536, 65_536, 65_536, 3_392]);
  },
  "read in chunks of the given size from the given offset (FS-51)": async (open) => {
    const fs = await open();
    await fs.write("a", "0123456789");
    assert.deepEqual(
      await chunkSizes(await fs.openRead("a", { offset: 3, chunkBytes: 4 })),
      [4, 3],
    );
    assert.deepEqual(await chunkSizes(await fs.openRead("a", { offset: 10 })), []);
    assert.deepEqual(await chunkSizes(await fs.openRead("a", { offset: 99 })), []);
    await expectFailure(fs.openRead("a", { chunkBytes: 0 }), "EINVAL");
  },
  "read, seek and report their position (FS-51)": async (open) => {
    const fs = await open();
    await fs.write("a", "0123456789");
    await using reader = await fs.openRead("a");
    assert.equal(Buffer.from(await reader.read(4)).toString(), "0123");
    assert.equal(reader.position, 4);
    reader.seek(8);
    assert.equal(Buffer.from(await reader.read(4)).toString(), "89");
    assert.equal((await reader.read()).length, 0);
    reader.seek(100);
    assert.equal((await reader.read()).length, 0);
    for (const place of [-1, 0.5, Number.NaN])
      assert.throws(() => reader.seek(place), { name: "FilesystemError", code: "EINVAL" });
    reader.seek(0);
    assert.equal(Buffer.from(await reader.read(1)).toString(), "0");
  },
  "return every byte once to concurrent reads (FS-51)": async (open) => {
    const fs = await open();
    await fs.write("a", "0123456789");
    await using reader = await fs.openRead("a");
    const parts = await Promise.all([reader.read(4), reader.read(4), reader.read(4)]);
    assert.equal(parts.map((part) => Buffer.from(part).toString()).join(""), "0123456789");
  },
  "show the content at the time of opening, or fail with ESTALE (B64, FS-52)": async (open) => {
    const fs = await open();
    const before = "old ".repeat(50_000);
    await fs.write("a", before);
    for (const change of [
      () => fs.write("a", "new ".repeat(50_000)),
      () => fs.write("a", "short"),
      () => fs.delete("a"),
    ]) {
      if (!(await fs.exists("a"))) await fs.write("a", before);
      await fs.write("a", before);
      await using reader = await fs.openRead("a", { chunkBytes: 1_000 });
      const chunks = [await reader.read()];
      await change();
      try {
        for await (const chunk of reader) chunks.push(chunk);
      } catch (error) {
        await expectFailure(Promise.reject(error), "ESTALE");
        continue;
      }
      assert.equal(Buffer.concat(chunks).toString(), before);
    }
  },
  "can be closed repeatedly and refuse reads afterwards (FS-54)": async (open) => {
    const fs = await open();
    await fs.write("a", "1");
    const reader = await fs.openRead("a");
    await reader.close();
    await reader.close();
    await expectFailure(reader.read(), "EBADF", { operation: "openRead", path: "a" });
    assert.throws(() => reader.seek(0), { code: "EBADF" });
  },
  "are closed when a loop over them is left early (FS-54)": async (open) => {
    const fs = await open();
    await fs.write("a", "0123456789");
    const reader = await fs.openRead("a", { chunkBytes: 2 });
    for await (const chunk of reader) {
      assert.equal(chunk.length, 2);
      break;
    }
    await expectFailure(reader.read(), "EBADF");
  },
  "show nothing of a write before it is closed (FS-53)": async (open) => {
    const fs = await open();
    await fs.write("old", "before");
    const fresh = await fs.openWrite("d/new");
    const over = await fs.openWrite("old");
    await fresh.write("one ");
    await fresh.write(new TextEncoder().encode("two"));
    await over.write("after");
    assert.deepEqual(await treeOf(fs), { old: "before" });
    assert.equal(fresh.bytesWritten, 7);
    const { revision, ...result } = await fresh.close();
    assert.deepEqual(result, { path: "d/new", bytesWritten: 7, mode: "overwrite" });
    assert.equal((await fs.stat("d/new")).revision, revision);
    await over.close();
    assert.deepEqual(await treeOf(fs), { d: null, "d/new": "one two", old: "after" });
  },
  "have no effect when they are aborted (FS-53)": async (open) => {
    const fs = await open();
    await fs.write("old", "before");
    const before = await fs.usage();
    for (const path of ["old", "new", "d/e/new"]) {
      const writer = await fs.openWrite(path);
      await writer.write("x".repeat(100_000));
      await writer.abort();
      await writer.abort();
      await expectFailure(writer.close(), "EBADF", { operation: "openWrite", path });
    }
    assert.deepEqual(await treeOf(fs), { old: "before" });
    assert.deepEqual(await fs.usage(), before);
  },
  "create an empty file when nothing was written (FS-53)": async (open) => {
    const fs = await open();
    await (await fs.openWrite("d/empty")).close();
    assert.deepEqual(await treeOf(fs), { d: null, "d/empty": "" });
  },
  "append to the content that the file has on close (FS-53)": async (open) => {
    const fs = await open();
    await fs.write("log", "1");
    const writer = await fs.openWrite("log", { mode: "append" });
    await writer.write("3");
    await fs.write("log", "2", { mode: "append" });
    assert.equal((await writer.close()).bytesWritten, 1);
    assert.equal((await fs.read("log")).content, "123");
  },
  "check the target again on close, because it may exist by then (FS-57)": async (open) => {
    const fs = await open();
    const first = await fs.openWrite("a", { mode: "create" });
    const second = await fs.openWrite("a", { mode: "create" });
    await first.write("first");
    await second.write("second");
    await second.close();
    await expectFailure(first.close(), "EEXIST");
    const { revision } = await fs.write("b", "1");
    const third = await fs.openWrite("b", { ifRevision: revision });
    await third.write("3");
    await fs.write("b", "2");
    await expectFailure(third.close(), "ESTALE");
    const fourth = await fs.openWrite("c");
    await fourth.write("4");
    await fs.mkdir("c");
    await expectFailure(fourth.close(), "EISDIR");
    assert.deepEqual(await treeOf(fs), { a: "second", b: "2", c: null });
  },
  "keep chunks in order, awaited or not (FS-53)": async (open) => {
    const fs = await open();
    const writer = await fs.openWrite("a");
    const writes = Array.from({ length: 50 }, (_, index) => writer.write(`${index},`));
    await writer.close();
    await Promise.all(writes);
    const expected = Array.from({ length: 50 }, (_, index) => `${index},`).join("");
    assert.equal((await fs.read("a")).content, expected);
  },
  "refuse an invalid chunk and then abort the whole write (FS-28, FS-54)": async (open) => {
    const fs = await open();
    for (const chunk of ["\ud800", 7, null, undefined, [1]]) {
      const writer = await fs.openWrite("a");
      await writer.write("good");
      await expectFailure(writer.write(chunk as string), "EINVAL", { operation: "openWrite" });
      await expectFailure(writer.write("more"), "EBADF");
      await expectFailure(writer.close(), "EBADF");
      await writer.abort();
    }
    assert.deepEqual(await treeOf(fs), {});
  },
  "commit nothing when they are disposed without close (FS-53)": async (open) => {
    const fs = await open();
    await fs.write("old", "old");
    {
      await using writer = await fs.openWrite("a");
      await writer.write("kept");
      await writer.close();
    }
    {
      await using writer = await fs.openWrite("old");
      await writer.write("new");
    }
    const thrown = new Error("between two writes");
    await assert.rejects(async () => {
      await using writer = await fs.openWrite("new");
      await writer.write("half");
      throw thrown;
    }, thrown);
    await failureOf(
      (async () => {
        await using writer = await fs.openWrite("b");
        await writer.write("half");
        await writer.write("\ud800");
      })(),
    );
    assert.deepEqual(await treeOf(fs), { a: "kept", old: "old" });
  },
  "write and read more than one call allows (B57, FS-31)": async (open) => {
    const fs = await open({ limits: { maxWriteBytes: 1_000, maxReadBytes: 1_000 } });
    const writer = await fs.openWrite("big");
    for (let index = 0; index < 30; index++) await writer.write(`${index % 10}`.repeat(500));
    assert.equal((await writer.close()).bytesWritten, 15_000);
    let size = 0;
    for await (const chunk of await fs.openRead("big")) size += chunk.length;
    assert.equal(size, 15_000);
  },
  ...textStreams,
});

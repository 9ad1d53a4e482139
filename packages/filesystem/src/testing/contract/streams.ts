import assert from "node:assert/strict";
import type { FileReader, Filesystem } from "../../protocol/filesystem.js";
import type { FilesystemErrorCode } from "../../protocol/filesystem-error.js";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure, failureOf } from "./expect-failure.js";
import { treeOf } from "./tree-of.js";

async function chunkSizes(reader: FileReader): Promise<readonly number[]> {
  const sizes: number[] = [];
  for await (const chunk of reader) sizes.push(chunk.length);
  return sizes;
}

async function linesOf(fs: Filesystem, path: string, strip = false): Promise<readonly string[]> {
  const lines: string[] = [];
  await using reader = await fs.openText(path);
  for await (const line of reader.lines({ strip })) lines.push(line);
  return lines;
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
  "read text line by line, including the line ends (FS-55)": async (open) => {
    const fs = await open();
    await fs.write("a", "\ufeffone\r\ntwo\rstill two\n\nlast");
    assert.deepEqual(await linesOf(fs, "a"), ["\ufeffone\r\n", "two\rstill two\n", "\n", "last"]);
    assert.deepEqual(await linesOf(fs, "a", true), ["\ufeffone", "two\rstill two", "", "last"]);
    await fs.write("empty", "");
    assert.deepEqual(await linesOf(fs, "empty"), []);
  },
  "of text can be iterated line by line (FS-55)": async (open) => {
    const fs = await open();
    await fs.write("a", "1\n2\n");
    const lines: string[] = [];
    const reader = await fs.openText("a");
    assert.equal(reader.path, "a");
    for await (const line of reader) lines.push(line);
    assert.deepEqual(lines, ["1\n", "2\n"]);
    await expectFailure(failAfter(reader.lines()), "EBADF");
  },
  "join characters and lines that are split between chunks (FS-55)": async (open) => {
    const fs = await open({ limits: { streamChunkBytes: 3 } });
    await fs.write("a", "é😀\n€uro und mehr\r\n😀");
    assert.deepEqual(await linesOf(fs, "a"), ["é😀\n", "€uro und mehr\r\n", "😀"]);
  },
  "treat a carriage return at the end of the text as part of the last line (FS-55)": async (
    open,
  ) => {
    const fs = await open();
    await fs.write("a", "one\r\ntwo\r");
    assert.deepEqual(await linesOf(fs, "a", true), ["one", "two\r"]);
  },
  ...eachRow(
    [2, 4, 64, 4_096],
    (streamChunkBytes) =>
      `fail on text that is not UTF-8, after the lines before it, in chunks of ${streamChunkBytes} (B47, FS-56)`,
    (streamChunkBytes) => async (open) => {
      const fs = await open({ limits: { streamChunkBytes } });
      const good = Buffer.from("ok\nok\nok\n");
      for (const bad of [[0xff], [0xff, 0x0a], [0x61, 0xe2, 0x82], [0xc3, 0x28, 0x0a, 0x61]]) {
        await fs.writeBytes("bad", Buffer.concat([good, Uint8Array.from(bad)]));
        const failure = { operation: "openText", path: "bad" };
        assert.deepEqual(await linesBefore(fs, "bad", "EILSEQ", failure), ["ok\n", "ok\n", "ok\n"]);
      }
    },
  ),
  ...eachRow(
    [3, 32, 4_096],
    (streamChunkBytes) =>
      `fail on a line that is too long, in chunks of ${streamChunkBytes} (B60, FS-56)`,
    (streamChunkBytes) => async (open) => {
      const fs = await open({ limits: { maxReadBytes: 100, streamChunkBytes } });
      const longest = `${"é".repeat(50)}\n`;
      for (const tooLong of [
        "x".repeat(101),
        `${"x".repeat(101)}\n`,
        `${"é".repeat(51)}\nmore\n`,
      ]) {
        await fs.write("a", `short\n${longest}${tooLong}`);
        assert.deepEqual(await linesBefore(fs, "a", "EFBIG"), ["short\n", longest]);
      }
    },
  ),
});

/** Returns the lines before the failure and checks the failure. */
async function linesBefore(
  fs: Filesystem,
  path: string,
  code: FilesystemErrorCode,
  expected: { operation?: string; path?: string } = {},
): Promise<readonly string[]> {
  const lines: string[] = [];
  const reading = (async () => {
    for await (const line of await fs.openText(path)) lines.push(line);
  })();
  await expectFailure(reading, code, expected);
  return lines;
}

async function failAfter(lines: AsyncIterable<string>): Promise<void> {
  for await (const line of lines) void line;
}

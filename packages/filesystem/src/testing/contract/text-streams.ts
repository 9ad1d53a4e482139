import assert from "node:assert/strict";
import type { Filesystem } from "../../protocol/filesystem.js";
import type { FilesystemError } from "../../protocol/filesystem-error.js";
import { type CaseBody, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";

/** The cases of `openText`. */
export const textStreams: Readonly<Record<string, CaseBody>> = {
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
};

async function linesOf(fs: Filesystem, path: string, strip = false): Promise<readonly string[]> {
  const lines: string[] = [];
  await using reader = await fs.openText(path);
  for await (const line of reader.lines({ strip })) lines.push(line);
  return lines;
}

/** Returns the lines before the failure and checks the failure. */
async function linesBefore(
  fs: Filesystem,
  path: string,
  code: FilesystemError["code"],
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

import assert from "node:assert/strict";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";

const TEN = Array.from({ length: 10 }, (_, line) => `line ${line}\n`).join("");

const PAGES = [
  { offset: 0, limit: 1, content: "line 0\n", truncated: true },
  { offset: 3, limit: 2, content: "line 3\nline 4\n", truncated: true },
  { offset: 8, limit: 2, content: "line 8\nline 9\n", truncated: false },
  { offset: 9, limit: 100, content: "line 9\n", truncated: false },
  { offset: 10, limit: 5, content: "", truncated: false },
  { offset: 1_000_000, limit: 5, content: "", truncated: false },
  { offset: 4, limit: 0, content: "", truncated: true },
];

const BAD_COUNTS = [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e308, -0.1, "1", null];

export const read = defineArea("read", {
  "returns a whole file with its metadata (FS-13, FS-15)": async (open) => {
    const fs = await open();
    const { revision } = await fs.write("a.txt", "one\ntwo\n");
    assert.deepEqual(await fs.read("a.txt"), {
      path: "a.txt",
      content: "one\ntwo\n",
      totalLines: 2,
      offset: 0,
      limit: 2_000,
      truncated: false,
      revision,
    });
  },
  ...eachRow(
    PAGES,
    ({ offset, limit }) => `returns ${limit} lines from line ${offset} (FS-15)`,
    ({ offset, limit, content, truncated }) =>
      async (open) => {
        const fs = await open();
        const { revision } = await fs.write("ten.txt", TEN);
        assert.deepEqual(await fs.read("ten.txt", { offset, limit }), {
          path: "ten.txt",
          content,
          totalLines: 10,
          offset,
          limit,
          truncated,
          revision,
        });
      },
  ),
  "returns 2,000 lines by default (FS-15)": async (open) => {
    const fs = await open();
    await fs.write("long.txt", "x\n".repeat(2_001));
    const page = await fs.read("long.txt");
    assert.deepEqual([page.content.length, page.totalLines, page.truncated], [4_000, 2_001, true]);
    const rest = await fs.read("long.txt", { offset: 2_000 });
    assert.deepEqual([rest.content, rest.truncated], ["x\n", false]);
    assert.equal((await fs.read("long.txt", { limit: 2_001 })).truncated, false);
  },
  "returns pages that join to the whole file (FS-13, FS-15)": async (open) => {
    const fs = await open();
    const text = "\r\n\na\r\rb\n\n\nno end";
    await fs.write("a", text);
    let joined = "";
    for (let offset = 0; offset < 10; offset++)
      joined += (await fs.read("a", { offset, limit: 1 })).content;
    assert.equal(joined, text);
  },
  ...eachRow(
    BAD_COUNTS,
    (value) =>
      `refuses ${JSON.stringify(value) ?? String(value)} (${String(value)}) as offset or limit (B66, FS-15)`,
    (value) => async (open) => {
      const fs = await open();
      await fs.write("a", "1");
      // Possible for callers without types.
      const bad = value as number;
      for (const options of [{ offset: bad }, { limit: bad }]) {
        await expectFailure(fs.read("a", options), "EINVAL", { operation: "read" });
        await expectFailure(fs.readBytes("a", options), "EINVAL", { operation: "readBytes" });
        await expectFailure(fs.list(".", options), "EINVAL", { operation: "list" });
      }
      await expectFailure(fs.openRead("a", { offset: bad }), "EINVAL");
      await expectFailure(fs.openRead("a", { chunkBytes: bad }), "EINVAL");
    },
  ),
  ...eachRow(
    [
      { path: "missing", code: "ENOENT" },
      { path: "missing/deeper", code: "ENOENT" },
      { path: "folder", code: "EISDIR" },
      { path: "file/below", code: "ENOTDIR" },
      { path: "file/below/deeper", code: "ENOTDIR" },
    ] as const,
    ({ path, code }) => `fails with ${code} for ${path} in every read call (FS-65)`,
    ({ path, code }) =>
      async (open) => {
        const fs = await open();
        await fs.write("file", "1");
        await fs.mkdir("folder");
        await expectFailure(fs.read(path), code, { operation: "read", path });
        await expectFailure(fs.readBytes(path), code, { operation: "readBytes", path });
        await expectFailure(fs.openRead(path), code, { operation: "openRead", path });
        await expectFailure(fs.openText(path), code, { operation: "openText", path });
      },
  ),
  "accepts the usual spellings of utf-8 and no other encoding (B67, FS-19)": async (open) => {
    const fs = await open();
    await fs.write("a", "é");
    for (const encoding of ["utf-8", "utf8", "UTF-8"])
      assert.equal((await fs.read("a", { encoding })).content, "é");
    for (const encoding of ["latin1", "utf-16le", "base64", "", "utf-8-sig"])
      await expectFailure(fs.read("a", { encoding }), "EINVAL");
  },
  "returns bytes with their metadata (FS-20)": async (open) => {
    const fs = await open();
    const bytes = Uint8Array.of(0, 255, 10, 200, 7);
    const { revision } = await fs.writeBytes("b", bytes);
    const { limit, content, ...rest } = await fs.readBytes("b");
    assert.deepEqual([...content], [...bytes]);
    assert.equal(limit, fs.limits.maxReadBytes);
    assert.deepEqual(rest, { path: "b", sizeBytes: 5, offset: 0, truncated: false, revision });
  },
  ...eachRow(
    [
      { offset: 1, limit: 2, content: [255, 10], truncated: true },
      { offset: 3, limit: 2, content: [200, 7], truncated: false },
      { offset: 4, limit: 9, content: [7], truncated: false },
      { offset: 5, limit: 1, content: [], truncated: false },
      { offset: 99, limit: 1, content: [], truncated: false },
      { offset: 2, limit: 0, content: [], truncated: true },
    ],
    ({ offset, limit }) => `returns ${limit} bytes from byte ${offset} (FS-20)`,
    ({ offset, limit, content, truncated }) =>
      async (open) => {
        const fs = await open();
        await fs.writeBytes("b", Uint8Array.of(0, 255, 10, 200, 7));
        const page = await fs.readBytes("b", { offset, limit });
        assert.deepEqual([...page.content], content);
        assert.deepEqual([page.offset, page.limit, page.truncated], [offset, limit, truncated]);
      },
  ),
  "returns bytes that the caller may change without an effect on the file (FS-20)": async (
    open,
  ) => {
    const fs = await open();
    await fs.write("a", "abc");
    const { content } = await fs.readBytes("a");
    content.fill(0);
    const reader = await fs.openRead("a");
    (await reader.read()).fill(0);
    await reader.close();
    assert.equal((await fs.read("a")).content, "abc");
    assert.equal((await fs.readBytes("a", { offset: 1 })).content[0], 98);
  },
  "returns the same revision in every result for the same content (FS-21)": async (open) => {
    const fs = await open();
    const { revision } = await fs.write("a", "text");
    assert.equal((await fs.read("a")).revision, revision);
    assert.equal((await fs.readBytes("a", { limit: 1 })).revision, revision);
    assert.equal((await fs.stat("a")).revision, revision);
  },
  "returns no lines for an empty file (B65, FS-14)": async (open) => {
    const fs = await open();
    await fs.write("empty", "");
    const { content, totalLines, truncated } = await fs.read("empty");
    assert.deepEqual([content, totalLines, truncated], ["", 0, false]);
    assert.equal((await fs.readBytes("empty")).content.length, 0);
  },
});

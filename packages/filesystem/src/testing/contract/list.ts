import assert from "node:assert/strict";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";

export const list = defineArea("list", {
  "shows the entries of a directory, but nothing deeper (FS-24)": async (open) => {
    const fs = await open();
    await fs.write("d/f.txt", "1");
    await fs.write("d/e/g.txt", "2");
    assert.deepEqual(
      [...(await fs.list("d"))],
      [
        { name: "e", path: "d/e", kind: "directory", isFile: false, isDirectory: true },
        { name: "f.txt", path: "d/f.txt", kind: "file", isFile: true, isDirectory: false },
      ],
    );
  },
  "shows the root when no path is given (FS-24)": async (open) => {
    const fs = await open();
    assert.deepEqual([...(await fs.list())], []);
    await fs.write("a", "");
    assert.deepEqual(
      (await fs.list()).map(({ path }) => path),
      ["a"],
    );
  },
  "sorts names by their bytes (B72, FS-24)": async (open) => {
    const fs = await open();
    const names = [
      "b",
      "a",
      "B",
      "_",
      "a-b",
      "a.b",
      "a0",
      "é",
      "ﬀ",
      "😀",
      "z",
      "10",
      "9",
      "\u{10000}x",
    ];
    for (const name of names) await fs.write(name, "");
    const byBytes = names
      .map((name) => Buffer.from(name))
      .sort(Buffer.compare)
      .map(String);
    assert.deepEqual(
      (await fs.list()).map(({ name }) => name),
      byBytes,
    );
  },
  ...eachRow(
    [
      { offset: 0, limit: 2, names: ["a", "b"], truncated: true },
      { offset: 2, limit: 2, names: ["c", "d"], truncated: true },
      { offset: 4, limit: 2, names: ["e"], truncated: false },
      { offset: 0, limit: 5, names: ["a", "b", "c", "d", "e"], truncated: false },
      { offset: 9, limit: 5, names: [], truncated: false },
      { offset: 1, limit: 0, names: [], truncated: true },
    ],
    ({ offset, limit }) => `shows ${limit} entries after ${offset} (B71, FS-24)`,
    ({ offset, limit, names, truncated }) =>
      async (open) => {
        const fs = await open();
        for (const name of ["e", "c", "a", "d", "b"]) await fs.write(name, "");
        const page = await fs.list(".", { offset, limit });
        assert.deepEqual(
          page.map(({ name }) => name),
          names,
        );
        assert.equal(page.truncated, truncated);
      },
  ),
  "returns at most its limit of entries and reports that there are more (B71, FS-24)": async (
    open,
  ) => {
    const fs = await open({ limits: { maxListEntries: 2 } });
    for (const name of ["a", "b", "c"]) await fs.write(name, "");
    for (const page of [await fs.list(), await fs.list(".", { limit: 3 })]) {
      assert.deepEqual(
        page.map(({ name }) => name),
        ["a", "b"],
      );
      assert.equal(page.truncated, true);
    }
    assert.deepEqual(
      (await fs.list(".", { offset: 2 })).map(({ name }) => name),
      ["c"],
    );
  },
  ...eachRow(
    [
      { path: "missing", code: "ENOENT" },
      { path: "file", code: "ENOTDIR" },
      { path: "file/below", code: "ENOTDIR" },
    ] as const,
    ({ path, code }) => `fails with ${code} for ${path} (FS-65)`,
    ({ path, code }) =>
      async (open) => {
        const fs = await open();
        await fs.write("file", "1");
        await expectFailure(fs.list(path), code, { operation: "list", path });
      },
  ),
  "shows every change (FS-24)": async (open) => {
    const fs = await open();
    const names = async () => (await fs.list("d")).map(({ name }) => name);
    await fs.mkdir("d");
    assert.deepEqual(await names(), []);
    await fs.write("d/b", "");
    assert.deepEqual(await names(), ["b"]);
    await fs.copy("d/b", "d/a");
    await fs.move("d/b", "d/c");
    assert.deepEqual(await names(), ["a", "c"]);
    await fs.delete("d/a");
    await fs.mkdir("d/c2");
    assert.deepEqual(await names(), ["c", "c2"]);
    await fs.delete("d/c");
    await fs.mkdir("d/c");
    assert.deepEqual(
      (await fs.list("d")).map(({ kind }) => kind),
      ["directory", "directory"],
    );
  },
  "returns a list that later changes do not affect (FS-69)": async (open) => {
    const fs = await open();
    await fs.write("a", "");
    const before = await fs.list();
    await fs.write("b", "");
    await fs.delete("a");
    assert.deepEqual(
      before.map(({ name }) => name),
      ["a"],
    );
  },
});

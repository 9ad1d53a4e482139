import assert from "node:assert/strict";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";
import { treeOf } from "./tree-of.js";

export const deletePath = defineArea("delete", {
  "removes one file and keeps its directory (FS-33)": async (open) => {
    const fs = await open();
    await fs.write("d/a", "1");
    await fs.write("d/b", "2");
    assert.equal(await fs.delete("d/a"), undefined);
    assert.deepEqual(await treeOf(fs), { d: null, "d/b": "2" });
    await fs.delete("d/b");
    assert.deepEqual(await treeOf(fs), { d: null });
  },
  "removes a directory only with recursive, empty or not (FS-33)": async (open) => {
    const fs = await open();
    await fs.write("d/e/f", "1");
    await fs.mkdir("empty");
    for (const path of ["d", "d/e", "empty"])
      await expectFailure(fs.delete(path), "EISDIR", { operation: "delete", path });
    assert.deepEqual(await treeOf(fs), { d: null, "d/e": null, "d/e/f": "1", empty: null });
    await fs.delete("d", { recursive: true });
    await fs.delete("empty", { recursive: true });
    assert.deepEqual(await treeOf(fs), {});
  },
  "removes a file with recursive (FS-33)": async (open) => {
    const fs = await open();
    await fs.write("a", "1");
    await fs.delete("a", { recursive: true });
    assert.deepEqual(await treeOf(fs), {});
  },
  "keeps paths that only have the same prefix (A27, FS-33)": async (open) => {
    const fs = await open();
    for (const path of ["ab/x", "a/x", "a.txt", "a-b/x"]) await fs.write(path, "1");
    await fs.delete("a", { recursive: true });
    assert.deepEqual(
      (await fs.list()).map(({ name }) => name),
      ["a-b", "a.txt", "ab"],
    );
    assert.equal((await fs.read("ab/x")).content, "1");
  },
  ...eachRow(
    [
      { path: "missing", code: "ENOENT" },
      { path: "missing/x", code: "ENOENT" },
      { path: "file/below", code: "ENOTDIR" },
    ] as const,
    ({ path, code }) => `fails with ${code} for ${path} (FS-65)`,
    ({ path, code }) =>
      async (open) => {
        const fs = await open();
        await fs.write("file", "1");
        await expectFailure(fs.delete(path), code, { operation: "delete", path });
        await expectFailure(fs.delete(path, { recursive: true }), code, {
          operation: "delete",
          path,
        });
      },
  ),
  "allows the same path to be created again with another kind (FS-33)": async (open) => {
    const fs = await open();
    await fs.write("x/y", "1");
    await fs.delete("x", { recursive: true });
    await fs.write("x", "a file now");
    assert.deepEqual(await treeOf(fs), { x: "a file now" });
    await fs.delete("x");
    await fs.write("x/y", "2");
    assert.deepEqual(await treeOf(fs), { x: null, "x/y": "2" });
  },
  "removes a wide and deep tree completely (FS-33)": async (open) => {
    const fs = await open();
    for (let index = 0; index < 200; index++)
      await fs.write(`t/${"d/".repeat(index % 10)}${index}/f`, "");
    await fs.write("keep", "1");
    await fs.delete("t", { recursive: true });
    assert.deepEqual(await treeOf(fs), { keep: "1" });
    assert.equal((await fs.usage()).nodeCount, 1);
  },
});

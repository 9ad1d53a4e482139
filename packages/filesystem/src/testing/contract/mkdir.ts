import assert from "node:assert/strict";
import { defineArea } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";
import { treeOf } from "./tree-of.js";

export const mkdir = defineArea("mkdir", {
  "makes a directory and its parents (FS-32)": async (open) => {
    const fs = await open();
    assert.equal(await fs.mkdir("a/b/c"), undefined);
    assert.deepEqual(await treeOf(fs), { a: null, "a/b": null, "a/b/c": null });
  },
  "makes no parents when parents is false (FS-32)": async (open) => {
    const fs = await open();
    await expectFailure(fs.mkdir("a/b", { parents: false }), "ENOENT", {
      operation: "mkdir",
      path: "a/b",
    });
    await fs.mkdir("a", { parents: false });
    await fs.mkdir("a/b", { parents: false });
    assert.deepEqual(await treeOf(fs), { a: null, "a/b": null });
  },
  "accepts an existing directory, unless that is set to be an error (FS-32)": async (open) => {
    const fs = await open();
    await fs.write("a/f", "1");
    await fs.mkdir("a");
    await expectFailure(fs.mkdir("a", { existOk: false }), "EEXIST");
    await fs.mkdir("b", { existOk: false });
    assert.deepEqual(await treeOf(fs), { a: null, "a/f": "1", b: null });
  },
  "treats the root as an existing directory (FS-9, FS-32)": async (open) => {
    const fs = await open();
    await fs.mkdir(".");
    await expectFailure(fs.mkdir("/", { existOk: false }), "EEXIST");
  },
  "fails where a file exists at the path or at one of its parents (FS-32)": async (open) => {
    const fs = await open();
    await fs.write("file", "1");
    await expectFailure(fs.mkdir("file"), "EEXIST");
    await expectFailure(fs.mkdir("file", { existOk: false }), "EEXIST");
    await expectFailure(fs.mkdir("file/x"), "ENOTDIR");
    await expectFailure(fs.mkdir("file/x/y"), "ENOTDIR");
    await expectFailure(fs.mkdir("file/x", { parents: false }), "ENOTDIR");
    assert.deepEqual(await treeOf(fs), { file: "1" });
  },
  "keeps empty directories (FS-32)": async (open) => {
    const fs = await open();
    await fs.mkdir("empty");
    await fs.write("d/f", "");
    await fs.delete("d/f");
    assert.deepEqual(await treeOf(fs), { d: null, empty: null });
  },
});

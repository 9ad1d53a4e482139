import assert from "node:assert/strict";
import type { Filesystem } from "../../protocol/filesystem.js";
import { type CaseBody, defineArea, eachRow, type Open } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";
import { treeOf } from "./tree-of.js";

const CALLS = ["copy", "move"] as const;
type Call = (typeof CALLS)[number];

/** The same case for `copy` and `move`. */
function both(
  title: string,
  run: (call: Call, open: Open) => Promise<void>,
): Readonly<Record<string, CaseBody>> {
  return eachRow(
    CALLS,
    (call) => `${call}: ${title}`,
    (call) => (open) => run(call, open),
  );
}

async function sample(open: Open): Promise<Filesystem> {
  const fs = await open();
  await fs.write("file", "1");
  await fs.write("dir/a", "2");
  await fs.write("dir/sub/b", "3");
  await fs.write("other", "4");
  await fs.write("full/x", "5");
  return fs;
}

export const transfer = defineArea("transfer", {
  "copies a file, and the two are independent afterwards (FS-34)": async (open) => {
    const fs = await open();
    await fs.write("a", "1");
    assert.equal(await fs.copy("a", "b"), undefined);
    await fs.write("a", "2");
    assert.deepEqual(await treeOf(fs), { a: "2", b: "1" });
    await fs.write("b", "!", { mode: "append" });
    assert.deepEqual(await treeOf(fs), { a: "2", b: "1!" });
  },
  "copies a directory with its content, and the two are independent afterwards (FS-34)": async (
    open,
  ) => {
    const fs = await open();
    await fs.write("d/a", "1");
    await fs.write("d/e/b", "2");
    await fs.mkdir("d/empty");
    await fs.copy("d", "c");
    await fs.write("c/e/b", "changed");
    await fs.delete("d/a");
    assert.deepEqual(await treeOf(fs), {
      c: null,
      "c/a": "1",
      "c/e": null,
      "c/e/b": "changed",
      "c/empty": null,
      d: null,
      "d/e": null,
      "d/e/b": "2",
      "d/empty": null,
    });
  },
  "copies binary data of more than one chunk (FS-34)": async (open) => {
    const fs = await open();
    const bytes = Uint8Array.from({ length: 2_500_000 }, (_, index) => index * 7);
    await fs.writeBytes("a", bytes);
    await fs.copy("a", "b");
    assert.equal(Buffer.compare((await fs.readBytes("b")).content, bytes), 0);
  },
  "moves a file (FS-35)": async (open) => {
    const fs = await open();
    const { revision } = await fs.write("a", "1");
    assert.equal(await fs.move("a", "d/b"), undefined);
    assert.deepEqual(await treeOf(fs), { d: null, "d/b": "1" });
    assert.equal((await fs.stat("d/b")).revision, revision);
  },
  "moves a directory with its content (FS-35)": async (open) => {
    const fs = await sample(open);
    await fs.move("dir", "moved/here");
    assert.equal(await fs.exists("dir"), false);
    assert.equal((await fs.read("moved/here/sub/b")).content, "3");
    await expectFailure(fs.read("dir/sub/b"), "ENOENT");
    await fs.write("dir", "free again");
  },
  ...both(
    "makes missing parents of the target, unless createParents is false (FS-26)",
    async (call, open) => {
      const fs = await sample(open);
      await expectFailure(fs[call]("file", "x/y/file", { createParents: false }), "ENOENT");
      assert.equal(await fs.exists("x"), false);
      await fs[call]("file", "x/y/file");
      assert.equal((await fs.read("x/y/file")).content, "1");
    },
  ),
  ...both(
    "refuses an existing target, unless overwrite is set (FS-34, FS-35)",
    async (call, open) => {
      const fs = await sample(open);
      await expectFailure(fs[call]("file", "other"), "EEXIST", { operation: call, path: "other" });
      await expectFailure(fs[call]("dir", "full"), "EEXIST");
      await expectFailure(fs[call]("file", "full"), "EEXIST");
      assert.equal((await fs.read("other")).content, "4");
      await fs[call]("file", "other", { overwrite: true });
      assert.equal((await fs.read("other")).content, "1");
      assert.equal(await fs.exists("file"), call === "copy");
    },
  ),
  ...both("replaces a directory by a directory completely (FS-34, FS-35)", async (call, open) => {
    const fs = await sample(open);
    await fs[call]("dir", "full", { overwrite: true });
    assert.deepEqual(await treeOf(fs, "full"), {
      "full/a": "2",
      "full/sub": null,
      "full/sub/b": "3",
    });
    assert.equal(await fs.exists("dir"), call === "copy");
  }),
  ...both(
    "never replaces a directory by a file, or a file by a directory (FS-34, FS-35)",
    async (call, open) => {
      const fs = await sample(open);
      const before = await treeOf(fs);
      await expectFailure(fs[call]("file", "full", { overwrite: true }), "EISDIR");
      await expectFailure(fs[call]("dir", "other", { overwrite: true }), "ENOTDIR");
      await expectFailure(fs[call]("file", "other/", { overwrite: true }), "ENOTDIR");
      assert.deepEqual(await treeOf(fs), before);
    },
  ),
  ...both(
    "refuses to put a directory into itself or to replace its own parent (FS-36)",
    async (call, open) => {
      const fs = await sample(open);
      const before = await treeOf(fs);
      await expectFailure(fs[call]("dir", "dir/sub/new"), "EINVAL");
      await expectFailure(fs[call]("dir", "dir/new"), "EINVAL");
      await expectFailure(fs[call]("dir/sub", "dir", { overwrite: true }), "EINVAL");
      await expectFailure(fs[call]("file", "file/x"), "ENOTDIR");
      assert.deepEqual(await treeOf(fs), before);
      await fs[call]("dir", "dir2");
      assert.equal((await fs.read("dir2/sub/b")).content, "3");
    },
  ),
  ...both("does nothing from a path to itself (FS-36)", async (call, open) => {
    const fs = await sample(open);
    const before = await treeOf(fs);
    await expectFailure(fs[call]("file", "./file"), "EEXIST");
    await fs[call]("file", "dir/../file", { overwrite: true });
    await fs[call]("dir", "dir/", { overwrite: true });
    assert.deepEqual(await treeOf(fs), before);
  }),
  ...both("names the path that caused the error (FS-65)", async (call, open) => {
    const fs = await sample(open);
    await expectFailure(fs[call]("missing", "x"), "ENOENT", { operation: call, path: "missing" });
    await expectFailure(fs[call]("file/x", "y"), "ENOTDIR", { operation: call, path: "file/x" });
    await expectFailure(fs[call]("dir", "file/x"), "ENOTDIR", { operation: call, path: "file/x" });
    await expectFailure(fs[call]("../x", "y"), "EACCES", { operation: call, path: "../x" });
    await expectFailure(fs[call]("file", "../y"), "EACCES", { operation: call, path: "../y" });
    await expectFailure(fs[call]("file", "a\0b"), "EINVAL", { operation: call });
    assert.equal((await fs.read("file")).content, "1");
  }),
  ...both(
    "checks the target paths: not in .git and not too deep (FS-10, FS-37)",
    async (call, open) => {
      const fs = await open({ limits: { maxPathDepth: 4 } });
      await fs.write("a/b/c", "1");
      await expectFailure(fs[call]("a", "x/.git"), "EACCES");
      await expectFailure(fs[call]("a", "x/y/a"), "EINVAL");
      assert.deepEqual(await treeOf(fs), { a: null, "a/b": null, "a/b/c": "1" });
    },
  ),
});

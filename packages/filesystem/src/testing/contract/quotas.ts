import assert from "node:assert/strict";
import { defineArea } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";
import { treeOf } from "./tree-of.js";

export const quotas = defineArea("quotas", {
  "count bytes, files and directories (FS-62)": async (open) => {
    const fs = await open();
    assert.deepEqual(await fs.usage(), {
      totalBytes: 0,
      fileCount: 0,
      directoryCount: 0,
      nodeCount: 0,
    });
    await fs.write("a/b/c", "é");
    await fs.write("d", "123");
    await fs.mkdir("e");
    assert.deepEqual(await fs.usage(), {
      totalBytes: 5,
      fileCount: 2,
      directoryCount: 3,
      nodeCount: 5,
    });
  },
  "keep the count exact through every kind of change (B59, FS-62)": async (open) => {
    const fs = await open({ quotas: { maxTotalBytes: 1_000, maxNodeCount: 100 } });
    const count = async () => {
      const { totalBytes, nodeCount } = await fs.usage();
      return [totalBytes, nodeCount];
    };
    await fs.write("d/a", "12345");
    assert.deepEqual(await count(), [5, 2]);
    await fs.write("d/a", "123");
    await fs.write("d/a", "45", { mode: "append" });
    assert.deepEqual(await count(), [5, 2]);
    await fs.copy("d", "e");
    assert.deepEqual(await count(), [10, 4]);
    await fs.move("e", "f/g");
    assert.deepEqual(await count(), [10, 5]);
    await fs.write("h", "1");
    await fs.move("h", "d/a", { overwrite: true });
    assert.deepEqual(await count(), [6, 5]);
    await fs.copy("d", "f", { overwrite: true });
    assert.deepEqual(await count(), [2, 4]);
    await fs.delete("d/a");
    assert.deepEqual(await count(), [1, 3]);
    const writer = await fs.openWrite("s/t");
    await writer.write("1234");
    await writer.close();
    assert.deepEqual(await count(), [5, 5]);
    await fs.delete("f", { recursive: true });
    assert.deepEqual(await count(), [4, 3]);
  },
  "allow exactly the maximum number of bytes (B59, FS-58)": async (open) => {
    const fs = await open({ quotas: { maxTotalBytes: 10 } });
    await fs.write("a", "12345");
    await fs.write("b", "é3é");
    await expectFailure(fs.write("c", "1"), "EDQUOT", { operation: "write", path: "c" });
    await expectFailure(fs.write("a", "123456"), "EDQUOT");
    await expectFailure(fs.write("a", "6", { mode: "append" }), "EDQUOT");
    await expectFailure(fs.copy("a", "d"), "EDQUOT", { operation: "copy", path: "d" });
    await fs.write("c", "");
    await fs.move("a", "e");
    assert.deepEqual(await treeOf(fs), { b: "é3é", c: "", e: "12345" });
  },
  "allow a full workspace to shrink and to be filled again (B59, FS-58)": async (open) => {
    const fs = await open({ quotas: { maxTotalBytes: 10 } });
    await fs.write("a", "1234567890");
    await fs.write("a", "0987654321");
    await fs.write("a", "123");
    await fs.write("b", "4567890");
    await expectFailure(fs.write("c", "!"), "EDQUOT");
    await fs.delete("b");
    await fs.write("c", "4567890");
    await fs.copy("a", "c", { overwrite: true });
    await fs.write("d", "7890");
    assert.equal((await fs.usage()).totalBytes, 10);
  },
  "limit the size of a file, whichever call writes it (FS-59)": async (open) => {
    const fs = await open({ quotas: { maxFileBytes: 4 } });
    await fs.write("a", "1234");
    await expectFailure(fs.write("a", "12345"), "EDQUOT");
    await expectFailure(fs.write("a", "5", { mode: "append" }), "EDQUOT");
    await expectFailure(fs.writeBytes("b", new Uint8Array(5)), "EDQUOT");
    const writer = await fs.openWrite("c");
    await writer.write("1234");
    await expectFailure(writer.write("5"), "EDQUOT", { operation: "openWrite" });
    await expectFailure(writer.close(), "EBADF");
    const append = await fs.openWrite("a", { mode: "append" });
    await expectFailure(append.write("5"), "EDQUOT");
    assert.deepEqual(await treeOf(fs), { a: "1234" });
  },
  "allow exactly the maximum number of files and directories (B59, FS-60)": async (open) => {
    const fs = await open({ quotas: { maxNodeCount: 4 } });
    await fs.write("a/b", "1");
    await expectFailure(fs.write("c/d/e", "1"), "EDQUOT");
    await expectFailure(fs.mkdir("c/d/e"), "EDQUOT", { operation: "mkdir" });
    await fs.write("c/d", "1");
    await expectFailure(fs.write("f", ""), "EDQUOT");
    await expectFailure(fs.mkdir("f"), "EDQUOT");
    await expectFailure(fs.copy("a", "f"), "EDQUOT");
    await expectFailure(fs.move("a/b", "g/b"), "EDQUOT");
    await fs.write("a/b", "overwriting makes no node");
    await fs.move("a/b", "a/c");
    assert.deepEqual(await treeOf(fs), {
      a: null,
      "a/c": "overwriting makes no node",
      c: null,
      "c/d": "1",
    });
  },
  "reject a change that exceeds them without any effect (FS-61)": async (open) => {
    const fs = await open({ quotas: { maxTotalBytes: 3, maxNodeCount: 3 } });
    await fs.write("a", "1");
    const before = await treeOf(fs);
    await expectFailure(fs.write("x/y", "1234"), "EDQUOT");
    await expectFailure(fs.write("x/y/z", "1"), "EDQUOT");
    await expectFailure(fs.copy("a", "x/y/z"), "EDQUOT");
    const writer = await fs.openWrite("x/y/z");
    await writer.write("1");
    await expectFailure(writer.close(), "EDQUOT");
    assert.deepEqual(await treeOf(fs), before);
    assert.equal((await fs.usage()).nodeCount, 1);
  },
  "allow a stream to replace a file by a smaller one even over the quota, like a write (FS-57, FS-58)":
    async (open) => {
      const fs = await open({ quotas: { maxTotalBytes: 100 } });
      await fs.write("a", "x".repeat(60));
      await fs.write("b", "x".repeat(40));
      const writer = await fs.openWrite("a");
      await writer.write("y".repeat(60));
      await writer.close();
      const tooLong = await fs.openWrite("a");
      await tooLong.write("z".repeat(61));
      await expectFailure(tooLong.close(), "EDQUOT");
      assert.deepEqual(await treeOf(fs), { a: "y".repeat(60), b: "x".repeat(40) });
    },
  "hold when many writes run concurrently (FS-58, FS-71, TM-7)": async (open) => {
    const fs = await open({ quotas: { maxTotalBytes: 100 } });
    const results = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => fs.write(`f${index}`, "x".repeat(10))),
    );
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 10);
    assert.equal((await fs.usage()).totalBytes, 100);
  },
  "hold when many streams are closed concurrently (FS-57, FS-58)": async (open) => {
    const fs = await open({ quotas: { maxTotalBytes: 100 } });
    const writers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => fs.openWrite(`f${index}`)),
    );
    await Promise.all(writers.map((writer) => writer.write("x".repeat(10))));
    const results = await Promise.allSettled(writers.map((writer) => writer.close()));
    assert.equal(results.filter(({ status }) => status === "fulfilled").length, 10);
    assert.equal((await fs.usage()).totalBytes, 100);
  },
});

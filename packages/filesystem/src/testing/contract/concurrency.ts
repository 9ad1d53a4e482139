import assert from "node:assert/strict";
import type { Filesystem } from "../../protocol/filesystem.js";
import { defineArea } from "./contract-case.js";
import { treeOf } from "./tree-of.js";

function fulfilled(outcomes: readonly PromiseSettledResult<unknown>[]): number {
  return outcomes.filter(({ status }) => status === "fulfilled").length;
}

interface Look {
  readonly content: string;
  readonly sizeBytes: number;
  readonly revision: string;
}

function lookAt(fs: Filesystem, path: string): readonly Promise<Look>[] {
  return [
    fs
      .read(path)
      .then(({ content, revision }) => ({ content, sizeBytes: content.length, revision })),
    fs.readBytes(path).then(({ content, sizeBytes, revision }) => ({
      content: Buffer.from(content).toString(),
      sizeBytes,
      revision,
    })),
  ];
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await Promise.resolve();
}

export const concurrency = defineArea("concurrency", {
  "applies changes in call order (FS-71)": async (open) => {
    const fs = await open();
    await Promise.all([
      fs.write("a", "1"),
      fs.write("a", "2", { mode: "append" }),
      fs.copy("a", "b"),
      fs.write("a", "3"),
      fs.move("b", "d/c"),
      fs.delete("a"),
      fs.mkdir("a"),
    ]);
    assert.deepEqual(await treeOf(fs), { a: null, d: null, "d/c": "12" });
  },
  "lets exactly one of many concurrent calls create a file (FS-25, FS-71)": async (open) => {
    const fs = await open();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) => fs.write("a", String(index), { mode: "create" })),
    );
    assert.equal(fulfilled(outcomes), 1);
    assert.equal((await fs.read("a")).content, "0");
  },
  "lets exactly one of many concurrent writes with the same revision succeed (FS-27, FS-71)":
    async (open) => {
      const fs = await open();
      const { revision } = await fs.write("a", "start");
      const outcomes = await Promise.allSettled(
        Array.from({ length: 20 }, (_, index) =>
          fs.write("a", `${index}`, { ifRevision: revision }),
        ),
      );
      assert.equal(fulfilled(outcomes), 1);
      assert.equal((await fs.read("a")).content, "0");
    },
  "lets exactly one of many concurrent calls make a directory, or copy or move to a path (FS-71)":
    async (open) => {
      const fs = await open();
      for (const name of ["a", "b", "c"]) await fs.write(name, name);
      assert.equal(
        fulfilled(await Promise.allSettled([1, 2, 3].map(() => fs.mkdir("d", { existOk: false })))),
        1,
      );
      assert.equal(
        fulfilled(await Promise.allSettled(["a", "b", "c"].map((name) => fs.copy(name, "t")))),
        1,
      );
      assert.equal(
        fulfilled(await Promise.allSettled(["a", "b", "c"].map((name) => fs.move(name, "u")))),
        1,
      );
      assert.deepEqual(await treeOf(fs), { b: "b", c: "c", d: null, t: "a", u: "a" });
    },
  "loses no line of many concurrent appends (FS-71)": async (open) => {
    const fs = await open();
    await Promise.all(
      Array.from({ length: 50 }, (_, index) => fs.write("log", `${index}\n`, { mode: "append" })),
    );
    const expected = Array.from({ length: 50 }, (_, index) => `${index}\n`).join("");
    assert.equal((await fs.read("log")).content, expected);
  },
  "continues after a failed change and removes the parents that it made (FS-72)": async (open) => {
    const fs = await open({ quotas: { maxFileBytes: 3 } });
    const outcomes = await Promise.allSettled([
      fs.write("d/e/a", "1234"),
      fs.write("d/b", "1"),
      fs.write("d/b/c", "1"),
      fs.write("x/y", "\ud800"),
      fs.write("d/f", "2"),
    ]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ["rejected", "fulfilled", "rejected", "rejected", "fulfilled"],
    );
    assert.deepEqual(await treeOf(fs), { d: null, "d/b": "1", "d/f": "2" });
  },
  "gives readers one consistent state during writes: content, size and revision match (B64, FS-71)":
    async (open) => {
      const fs = await open();
      const contents = ["a".repeat(10), "b".repeat(20), "c".repeat(5)];
      for (let round = 0; round < 30; round++) {
        const [before, after] = [
          contents[round % 3] as string,
          contents[(round + 1) % 3] as string,
        ];
        const revisions = new Map([[before, (await fs.write("f", before)).revision]]);
        const looks = [...lookAt(fs, "f")];
        await turns(round % 9);
        const writing = fs.write("f", after);
        looks.push(...lookAt(fs, "f"));
        await turns(round % 7);
        looks.push(...lookAt(fs, "f"));
        revisions.set(after, (await writing).revision);
        for (const { content, sizeBytes, revision } of await Promise.all(looks)) {
          assert.equal(revisions.get(content), revision, `${content} was never there like this`);
          assert.equal(sizeBytes, content.length);
        }
      }
    },
  "counts a consistent state during writes (FS-62, FS-71)": async (open) => {
    const fs = await open({ quotas: { maxTotalBytes: 100 } });
    const work = Array.from({ length: 40 }, (_, index) =>
      index % 4 === 0 ? fs.usage() : fs.write(`d${index % 5}/f${index}`, "12345"),
    );
    const outcomes = await Promise.allSettled(work);
    assert.equal(fulfilled(outcomes), 10 + 20);
    for (const outcome of outcomes)
      if (outcome.status === "fulfilled" && "nodeCount" in outcome.value)
        assert.equal(outcome.value.totalBytes, outcome.value.fileCount * 5);
    assert.equal((await fs.usage()).totalBytes, 100);
  },
  "keeps the tree valid while directories are created and deleted during writes (FS-71)": async (
    open,
  ) => {
    const fs = await open();
    const work = Array.from({ length: 60 }, (_, index) => {
      if (index % 3 === 0) return fs.write(`d/e${index % 2}/f${index}`, String(index));
      if (index % 3 === 1) return fs.delete("d", { recursive: true });
      return fs.move("d", `m${index}`);
    });
    for (const outcome of await Promise.allSettled(work))
      if (outcome.status === "rejected") assert.match(String(outcome.reason), /ENOENT/);
    const tree = Object.values(await treeOf(fs));
    const { fileCount, directoryCount } = await fs.usage();
    assert.equal(fileCount, tree.filter((content) => content !== null).length);
    assert.equal(directoryCount, tree.filter((content) => content === null).length);
  },
});

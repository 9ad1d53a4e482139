import { InMemoryFilesystem, mergeFile, type SnapshotableFilesystem } from "@wink/filesystem";
import fc from "fast-check";
import { expect, it } from "vitest";
import { mergeFork } from "./merge-fork.js";
import { changesOf, treeOf } from "./merge-fork.test.support.js";

const RUNS = Number(process.env["WINK_MERGES"] ?? 400);

/** Paths that conflict with each other: a file in one is a directory in another. */
const path = fc.constantFrom("a", "a/b", "a/b/c", "d/e", "d/f", "d", "g.txt", "h/i.txt");
const content = fc.constantFrom(
  "",
  "1\n",
  "1\n2\n3\n",
  "1\n2\n3\n4\n5\n",
  "x\n2\n3\n4\n5\n",
  "1\n2\n3\n4\ny\n",
  "\0\n",
);
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant("write" as const),
      path,
      content,
      executable: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("delete" as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("mkdir" as const), path }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("move" as const), path, to: path }) },
);
const steps = fc.array(step, { maxLength: 8 });
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Applies the steps. A step that is not possible is refused and changes nothing. */
async function take(files: SnapshotableFilesystem, taken: readonly Step[]): Promise<void> {
  for (const each of taken) {
    try {
      if (each.kind === "write")
        await files.write(each.path, each.content, { executable: each.executable });
      if (each.kind === "delete") await files.delete(each.path, { recursive: true });
      if (each.kind === "mkdir") await files.mkdir(each.path);
      if (each.kind === "move") await files.move(each.path, each.to, { overwrite: true });
    } catch {
      // Refused.
    }
  }
}

async function setup(start: readonly Step[], theirSteps: readonly Step[]) {
  const files = new InMemoryFilesystem();
  await take(files, start);
  const base = await treeOf(files);
  const { changes, theirs } = await changesOf(files, (fork) => take(fork, theirSteps));
  return { files, base, changes, theirs };
}

it(`a merge makes the workspace equal to the fork if nothing else changed (AD-31)`, async () => {
  await fc.assert(
    fc.asyncProperty(steps, steps, async (start, theirSteps) => {
      const { files, changes, theirs } = await setup(start, theirSteps);
      expect((await mergeFork(changes, files, "refuse")).merged).toBe(true);
      expect(await treeOf(files)).toEqual(theirs);
    }),
    { numRuns: RUNS },
  );
});

it("a merge of changes to different lines equals applying both one after the other (AD-31)", async () => {
  const line = fc.nat({ max: 39 });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(line), fc.uniqueArray(line), async (ours, theirs) => {
      // No changed line of one side is next to one of the other side.
      const apart = theirs.filter((at) => ours.every((other) => Math.abs(at - other) > 1));
      const text = (changed: ReadonlyMap<number, string>) =>
        Array.from({ length: 40 }, (_, at) => `${changed.get(at) ?? at}\n`).join("");
      const of = (side: string, lines: readonly number[]) =>
        lines.map((at): [number, string] => [at, `${side} ${at}`]);
      const files = new InMemoryFilesystem({ files: { "f.txt": text(new Map()) } });
      const { changes } = await changesOf(files, async (fork) => {
        await fork.write("f.txt", text(new Map(of("theirs", apart))));
      });
      await files.write("f.txt", text(new Map(of("ours", ours))));
      const report = await mergeFork(changes, files, "refuse");
      expect(report.conflicts).toEqual([]);
      const both = text(new Map([...of("ours", ours), ...of("theirs", apart)]));
      expect((await files.read("f.txt")).content).toBe(both);
    }),
    { numRuns: RUNS },
  );
});

it("a merge never loses a side: if refused, nothing changes; otherwise each path has one side, both, or a conflict with both (AD-31, AD-32)", async () => {
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(steps, steps, steps, async (start, theirSteps, ourSteps) => {
      const { files, base, changes, theirs } = await setup(start, theirSteps);
      await take(files, ourSteps);
      const ours = await treeOf(files);
      const copy = await files.fork();

      const report = await mergeFork(changes, files, "refuse");
      const after = await treeOf(files);
      if (!report.merged) {
        refused++;
        expect(after).toEqual(ours);
      }
      const kept = await mergeFork(changes, copy, "keep-both");
      const all = await treeOf(copy);
      if (report.merged) expect(all).toEqual(after);
      const inConflict = new Set(kept.conflicts.map((conflict) => conflict.path));
      expect(inConflict.size > 0).toBe(!report.merged);
      for (const name of filesOf(ours, theirs, base)) {
        const [was, mine, yours, is] = [base, ours, theirs, all].map((tree) => at(tree, name));
        if (inConflict.has(name)) expect([name, is]).toEqual([name, mine]);
        else if (mine === was) expect([name, is]).toEqual([name, yours]);
        else if (yours === was) expect([name, is]).toEqual([name, mine]);
        else if (mine === yours) expect([name, is]).toEqual([name, mine]);
        else expect([name, is]).toEqual([name, await mergeOf(was, mine, yours)]);
      }
      for (const { path: name, theirs: bytes, keptAt } of kept.conflicts)
        if (bytes !== undefined) expect(at(all, String(keptAt))).toBe(at(theirs, name));
    }),
    { numRuns: RUNS },
  );
  expect(refused).toBeGreaterThan(0);
});

/** The text that combines both sides. */
async function mergeOf(...texts: readonly (string | undefined)[]): Promise<string | undefined> {
  const [base, ours, theirs] = texts.map((text) => ({
    bytes: new TextEncoder().encode(text),
    executable: false,
  }));
  const merge = await mergeFile({ base, ours, theirs }, { combine: true });
  // Our side may contain all of their change already.
  if (merge.kind === "keep") return texts[1];
  return merge.kind === "write" ? new TextDecoder().decode(merge.bytes) : undefined;
}

type Tree = Readonly<Record<string, string>>;

function filesOf(...trees: readonly Tree[]): Set<string> {
  const names = trees.flatMap((tree) => Object.keys(tree));
  return new Set(names.filter((name) => !name.endsWith("/")).map((name) => name.replace("*", "")));
}

/** The content of a file without its execute bit, because two sides may mix these. */
function at(tree: Tree, name: string): string | undefined {
  return tree[name] ?? tree[`${name}*`];
}

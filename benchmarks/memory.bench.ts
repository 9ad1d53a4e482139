import { InMemoryFilesystem } from "@wink/filesystem";
import type { Run, Subject } from "./harness.js";
import { deepagents, justBash, type MemoryPeer, memfs, plainMap } from "./memory-peers.js";
import { eachPath, NEEDLE, shuffled, sourceText, sourceTree } from "./tree.js";

const FLAT_FILES = 10_000;
const WORKING_SET = 500;
const LONG_FILE = "long.txt";

/** Memory against a plain Map, the limit, and against the peers' filesystems in memory. */
export async function run(run: Run): Promise<void> {
  for (const count of run.quick ? [10_000] : [1_000, 10_000, 100_000]) await compareAt(run, count);
  await compareGrowth(run);
}

async function compareAt(run: Run, count: number): Promise<void> {
  const files = sourceTree(count);
  for (let index = 0; index < FLAT_FILES; index++) files.set(`flat/file-${index}.ts`, `${index}\n`);
  files.set(
    LONG_FILE,
    Array.from({ length: 50_000 }, (_, line) => `line ${line} of a long file, 40 chars`).join("\n"),
  );
  // An agent works on a few hundred files of a tree, however large that is.
  const paths = shuffled(sourceTree(count).keys()).slice(0, WORKING_SET);

  const fs = new InMemoryFilesystem({ files: Object.fromEntries(files) });
  const limit = plainMap(files);
  const rivals = [memfs(files), justBash(files), deepagents(files)];
  const all = [limit, ...rivals];
  const changed = (path: string, index: number) => `${files.get(path)}// ${index}\n`;
  const title = (name: string) => `${name}, ${count.toLocaleString("en")} files`;
  const against = (subject: (peer: MemoryPeer) => Subject, some: readonly MemoryPeer[] = all) =>
    Object.fromEntries(some.map((peer) => [peer.name, subject(peer)]));
  const atLeast = (ratio: number, some: readonly MemoryPeer[] = rivals) =>
    some.map(({ name }) => ({ peer: name, atLeast: ratio }));

  await run.compare({
    name: title("read a small file"),
    ours: () => eachPath(paths, 20_000, (path) => fs.read(path)),
    peers: against((peer) => () => eachPath(paths, 20_000, (path) => peer.read(path))),
    targets: atLeast(5),
  });
  // deepagents copies its whole state at each write: fewer of them say as much.
  const writes = (peer: MemoryPeer) => (peer.name === "deepagents" ? 20 : 5_000);
  await run.compare({
    name: title("overwrite a small file"),
    ours: () => eachPath(paths, 5_000, (path, index) => fs.write(path, changed(path, index))),
    peers: against(
      (peer) => () =>
        eachPath(paths, writes(peer), (path, index) => peer.overwrite(path, changed(path, index))),
    ),
    targets: atLeast(5),
  });
  const pages = { offset: 40_000, limit: 100 };
  await run.compare({
    name: title("100 lines far into a file of 2 MB, again"),
    ours: () => eachPath([LONG_FILE], 2_000, (path) => fs.read(path, pages)),
    peers: against(
      (peer) => () => eachPath([LONG_FILE], 5, (path) => peer.readLines(path, 40_000, 100)),
    ),
    targets: atLeast(500),
  });
  await run.compare({
    name: title("list a directory of 10,000"),
    ours: () => eachPath(["flat"], 200, (path) => fs.list(path)),
    peers: against((peer) => () => eachPath(["flat"], 3, (path) => peer.list(path))),
    targets: [...atLeast(10), { peer: limit.name, atMost: 2.5 }],
  });
  let added = 0;
  await run.compare({
    name: title("list a directory of 10,000 after a change in it"),
    ours: () => eachPath(["flat"], 1, (path) => fs.list(path)),
    peers: against((peer) => () => eachPath(["flat"], 1, (path) => peer.list(path))),
    before: async () => void (await fs.write(`flat/added-${added++}`, "")),
    targets: [],
  });
  // Its shell takes half a minute a search at 100,000 files, which says enough at 10,000.
  const tooSlow = (peer: MemoryPeer) => peer.name === "just-bash" && count > 10_000;
  const searching = all.filter((peer) => !tooSlow(peer));
  const searchRivals = rivals.filter((peer) => !tooSlow(peer));
  await run.compare({
    name: title("glob **/*.ts"),
    ours: async () => void (await fs.glob("**/*.ts")),
    peers: against((peer) => async () => void (await peer.glob("**/*.ts")), searching),
    targets: [...atLeast(1.5, searchRivals), { peer: limit.name, atMost: 1.5 }],
  });
  await run.compare({
    name: title("grep a rare literal"),
    ours: async () => void (await fs.grep(NEEDLE)),
    peers: against((peer) => async () => void (await peer.grep(NEEDLE)), searching),
    targets: atLeast(10, searchRivals),
  });
  const byRegex = searching.filter(({ name }) => name !== "deepagents");
  await run.compare({
    name: title("grep a regular expression"),
    ours: async () => void (await fs.grep("needle\\s+in \\w+ hay")),
    peers: against((peer) => async () => void (await peer.grep(/needle\s+in \w+ hay/)), byRegex),
    targets: atLeast(
      3,
      byRegex.filter((peer) => peer !== limit),
    ),
  });
  await run.compare({
    name: title("snapshot, one write, restore"),
    ours: () =>
      eachPath(paths, 500, async (path, index) => {
        const snapshot = await fs.snapshot();
        await fs.write(path, changed(path, index));
        await fs.restore(snapshot);
        await fs.deleteSnapshot(snapshot);
      }),
    peers: against(
      (peer) => () => eachPath(paths, 1, (path) => peer.snapshotWriteRestore(path, "changed")),
    ),
    targets: atLeast(1_000),
    rounds: 3,
  });
}

/** Undo must cost what was touched, not what is there. */
async function compareGrowth(run: Run): Promise<void> {
  const sizes = run.quick ? [1_000, 10_000] : [1_000, 100_000];
  const [small, large] = await Promise.all(
    sizes.map(
      async (count) => new InMemoryFilesystem({ files: Object.fromEntries(sourceTree(count)) }),
    ),
  );
  const wide = new InMemoryFilesystem({
    files: Object.fromEntries(
      Array.from({ length: FLAT_FILES }, (_, index) => [`flat/${index}`, sourceText(index)]),
    ),
  });
  if (!small || !large) return;
  const undo = (fs: InMemoryFilesystem, path: string) => async () => {
    for (let index = 0; index < 2_000; index++) {
      const snapshot = await fs.snapshot();
      await fs.write(path, `changed ${index}`);
      await fs.restore(snapshot);
      await fs.deleteSnapshot(snapshot);
    }
    return 2_000;
  };
  const [path] = sourceTree(1).keys();
  const near = `in ${sizes[0]?.toLocaleString("en")} files`;
  await run.compare({
    name: `snapshot, one write, restore in ${sizes[1]?.toLocaleString("en")} files`,
    ours: undo(large, path as string),
    peers: { [near]: undo(small, path as string) },
    targets: [{ peer: near, atMost: 2 }],
  });
  await run.compare({
    name: "the same inside a directory of 10,000",
    ours: undo(wide, "flat/5000"),
    peers: { [near]: undo(small, path as string) },
    targets: [{ peer: near, atMost: 2 }],
  });
  await run.compare({
    name: "transaction around a tool that only reads",
    ours: async () => {
      for (let index = 0; index < 5_000; index++) {
        const transaction = await large.begin();
        await transaction.rollback();
      }
      return 5_000;
    },
    peers: { "5 µs": () => waitMicros(5 * 5_000, 5_000) },
    targets: [{ peer: "5 µs", atMost: 1 }],
  });
}

/** Something that takes a known time, to stand for a target that is one. */
function waitMicros(micros: number, operations: number): number {
  const end = process.hrtime.bigint() + BigInt(micros) * 1_000n;
  while (process.hrtime.bigint() < end);
  return operations;
}

import type { Subject } from "./harness.js";
import type { MemoryPeer } from "./memory-peers.js";
import { eachPath, NEEDLE, shuffled, sourceTree } from "./tree.js";

const FLAT_FILES = 10_000;
const LONG_FILE = "long.txt";
/**
 * Agents read and write a small working set from all parts of a tree. Touching every file of a large tree
 * measures the processor's caches instead: a plain Map then takes ten times as long too.
 */
const WORKING_SET = 1_000;

/** The timed code, and its preparation, which is not timed. */
export interface Workload {
  readonly run: Subject;
  readonly before?: () => unknown;
}

/** `count` files of source, a directory of 10,000 and a file of 2 MB. */
export function memoryFiles(count: number): Map<string, string> {
  const files = sourceTree(count);
  for (let index = 0; index < FLAT_FILES; index++) files.set(`flat/file-${index}.ts`, `${index}\n`);
  const lines = Array.from(
    { length: 50_000 },
    (_, line) => `line ${line} of a long file, 40 chars`,
  );
  files.set(LONG_FILE, lines.join("\n"));
  return new Map([...files].map(([path, text]) => [path, flat(text)]));
}

/** All workloads for one filesystem in memory. */
export function memoryWorkloads(
  open: (files: ReadonlyMap<string, string>) => MemoryPeer,
  count: number,
): Readonly<Record<string, Workload>> {
  const files = memoryFiles(count);
  const paths = shuffled(sourceTree(count).keys());
  const peer = open(files);
  let unread = peer;
  let added = 0;
  // Prepared before the measurement. They alternate, so that each write is a change.
  const versions = [1, 2].map((version) =>
    paths.map((path) => flat(`${files.get(path)}// version ${version}\n`)),
  );
  const overwriting = (
    among: readonly string[],
    times: number,
    write: (path: string, text: string) => unknown,
  ): Subject => {
    let round = 0;
    return () => {
      round++;
      return eachPath(among, times, (path, index) => {
        const turn = (round + Math.floor(index / among.length)) % 2;
        return write(path, versions[turn]?.[index % among.length] as string);
      });
    };
  };
  const often = paths.slice(0, WORKING_SET);
  // deepagents copies its whole state at each write, so fewer writes are enough.
  const writes = peer.name === "deepagents" ? 20 : 5_000;
  const isFast = peer.name === "wink" || peer.name === "plain Map";
  return {
    "read a small file for the first time": {
      before: () => {
        unread = open(files);
      },
      run: () => eachPath(paths, paths.length, (path) => unread.read(path)),
    },
    "read a small file": { run: () => eachPath(often, 20_000, (path) => peer.read(path)) },
    "read all small files": { run: () => eachPath(paths, 20_000, (path) => peer.read(path)) },
    "overwrite a small file": { run: overwriting(often, writes, peer.overwrite) },
    "overwrite all small files": { run: overwriting(paths, writes, peer.overwrite) },
    "100 lines far into a file of 2 MB, again": {
      run: () =>
        eachPath([LONG_FILE], isFast ? 200 : 5, (path) => peer.readLines(path, 40_000, 100)),
    },
    "list a directory of 10,000": {
      run: () => eachPath(["flat"], isFast ? 100 : 3, (path) => peer.list(path)),
    },
    "list a directory of 10,000 after a change in it": {
      before: () => peer.overwrite(`flat/added-${added++}`, ""),
      run: async () => void (await peer.list("flat")),
    },
    "glob **/*.ts": { run: async () => void (await peer.glob("**/*.ts")) },
    "grep a rare literal": { run: async () => void (await peer.grep(NEEDLE)) },
    "grep a regular expression": {
      run: async () => void (await peer.grep(/needle\s+in \w+ hay/)),
    },
    "snapshot, one write, restore": {
      run: overwriting(paths, isFast ? 500 : 1, peer.snapshotWriteRestore),
    },
  };
}

/** The same text as a flat string: V8 flattens a concatenated string at its first read, which would be timed. */
function flat(text: string): string {
  return Buffer.from(text).toString("latin1");
}

import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { InMemoryFilesystem } from "@wink/filesystem";
import type { Run, Target } from "./harness.js";
import { memoryPeers } from "./memory-peers.js";
import { sourceText, sourceTree } from "./tree.js";

const FLAT_FILES = 10_000;
const LIMIT = "plain Map";
const RIVALS = ["memfs", "just-bash", "deepagents"];

/** Memory against a plain Map, the lower bound, and against the peers' filesystems in memory. */
export async function run(run: Run): Promise<void> {
  for (const count of run.quick ? [1_000] : [1_000, 10_000, 100_000]) await compareAt(run, count);
  await compareGrowth(run);
}

/** Each filesystem runs in a separate process, so that none pays for another's heap. */
async function compareAt(run: Run, count: number): Promise<void> {
  const subjects = await Promise.all(
    Object.keys(memoryPeers).map((name) => start(name, count, run.quick)),
  );
  const compare = async (workload: string, targets: readonly Target[], without: string[] = []) => {
    const wanted = subjects.filter(({ name }) => !without.includes(name));
    const { wink, ...peers } = Object.fromEntries(
      wanted.map(({ name, time }) => [name, () => time(workload)]),
    );
    if (wink === undefined) throw new Error("There is nothing to compare.");
    const name = `${workload}, ${count.toLocaleString("en")} files`;
    await run.compare({ name, ours: wink, peers, targets });
  };
  const atLeast = (ratio: number, rivals: readonly string[] = RIVALS): Target[] =>
    rivals.map((peer) => ({ peer, atLeast: ratio }));
  // Its shell takes half a minute per search at 100,000 files, so it is measured at 10,000.
  const tooSlow = count > 10_000 ? ["just-bash"] : [];
  const searching = RIVALS.filter((name) => !tooSlow.includes(name));
  try {
    await compare("read a small file for the first time", []);
    // Decision 0014 says why this target is low.
    await compare("read a small file", atLeast(1.2));
    await compare("read all small files", []);
    await compare("overwrite a small file", atLeast(1.2));
    await compare("overwrite all small files", []);
    await compare("100 lines far into a file of 2 MB, again", atLeast(500));
    await compare("list a directory of 10,000", [...atLeast(10), { peer: LIMIT, atMost: 2.5 }]);
    await compare("list a directory of 10,000 after a change in it", []);
    // just-bash has a ready list of all paths, so with picomatch it is as fast as the limit (decision 0002).
    const lists = ["just-bash", LIMIT].map((peer) => ({ peer, atMost: 1.5 }));
    await compare("glob **/*.ts", [...atLeast(1.5, ["memfs", "deepagents"]), ...lists]);
    await compare("grep a rare literal", atLeast(8, searching), tooSlow);
    // deepagents searches only for literals.
    const byRegex = searching.filter((name) => name !== "deepagents");
    await compare("grep a regular expression", atLeast(3, byRegex), [...tooSlow, "deepagents"]);
    await compare("snapshot, one write, restore", atLeast(1_000));
  } finally {
    for (const { child } of subjects) child.kill();
  }
}

async function start(name: string, count: number, quick: boolean) {
  const program = fileURLToPath(new URL("memory-subject.js", import.meta.url));
  const child = fork(program, [name, String(count), ...(quick ? ["quick"] : [])]);
  await answerOf(child);
  const time = async (workload: string) => {
    child.send(workload);
    return (await answerOf(child)) as { readonly micros: number };
  };
  return { name, child, time };
}

/** The next message of the process. Rejects if the process ends instead. */
function answerOf(child: ChildProcess): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onEnd = (code: number | null) =>
      reject(new Error(`A filesystem's process ended with ${code}.`));
    child.once("exit", onEnd);
    child.once("message", (answer) => {
      child.off("exit", onEnd);
      resolve(answer);
    });
  });
}

/** The cost of an undo must depend on the changed files, not on the number of files. */
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
        await large.read(path as string);
        await transaction.rollback();
      }
      return 5_000;
    },
    peers: { "5 µs": () => waitMicros(5 * 5_000, 5_000) },
    targets: [{ peer: "5 µs", atMost: 1 }],
  });
}

/** A subject with a fixed time, used as a target in absolute time. */
function waitMicros(micros: number, operations: number): number {
  const end = process.hrtime.bigint() + BigInt(micros) * 1_000n;
  while (process.hrtime.bigint() < end);
  return operations;
}

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { HostFilesystem } from "@wink/filesystem/host";
import type { Run } from "./harness.js";

const FILE = "d3/e0/file-3.ts";

/** Snapshots of a host directory against git's own plumbing on the same tree. */
export async function run(run: Run): Promise<void> {
  await compareAt(run, 10_000);
  if (!run.quick) await compareAt(run, 100_000);
}

async function compareAt(run: Run, count: number): Promise<void> {
  const base = mkdtempSync(join(tmpdir(), "wink-bench-snapshots-"));
  const workspace = join(base, "workspace");
  makeTree(workspace, count);
  const git = (...args: string[]) =>
    execFileSync("git", [`--git-dir=${base}/git`, `--work-tree=${workspace}`, ...args], {
      stdio: ["ignore", "pipe", "ignore"],
    });
  execFileSync("git", ["init", "-q", "--bare", `${base}/git`]);
  git("config", "core.bare", "false");
  // A background garbage collection would disturb the following measurements.
  git("config", "gc.auto", "0");
  git("config", "user.name", "a");
  git("config", "user.email", "a@b");
  const label = `${count / 1_000}k files`;
  let version = 0;
  const change = () => writeFileSync(join(workspace, FILE), `change ${version++}`);

  await run.compare({
    name: `first snapshot, ${label}`,
    rounds: 1,
    ours: () => firstCapture(workspace),
    peers: {
      "git add -A"() {
        rmSync(join(base, "git/objects"), { recursive: true });
        rmSync(join(base, "git/index"), { force: true });
        mkdirSync(join(base, "git/objects"));
        git("add", "-A");
      },
    },
    targets: [{ peer: "git add -A", atMost: 0.6 }],
  });

  // Trusts the times of a file, as git does: see `otherWriters`.
  const fs = await HostFilesystem.open(workspace, { fsync: false, otherWriters: "none" });
  const first = await fs.snapshot();
  const wary = await HostFilesystem.open(workspace, { fsync: false });
  await wary.snapshot();
  git("add", "-A");
  git("commit", "-qm", "first");
  const snapshot = async () => void (await fs.snapshot());
  const addAndWrite = () => {
    git("add", "-A");
    git("write-tree");
  };
  const peer = "git add -A && git write-tree";
  await run.compare({
    name: `snapshot without a change, ${label}`,
    rounds: 9,
    ours: snapshot,
    peers: { [peer]: addAndWrite },
    // git reads the times of files on every core; see specs/decisions/0014-one-thread.md.
    targets: [{ peer, atMost: 2 }],
  });
  await run.compare({
    name: `snapshot without a change, all changed in the last minute, ${label}`,
    rounds: 9,
    ours: async () => void (await wary.snapshot()),
    peers: { [peer]: addAndWrite },
    targets: [],
  });
  await run.compare({
    name: `snapshot after one change, ${label}`,
    rounds: 9,
    before: change,
    ours: snapshot,
    peers: { [peer]: addAndWrite },
    targets: [{ peer, atMost: 1.5 }],
  });
  await run.compare({
    name: `restore of one change, ${label}`,
    rounds: 9,
    before: change,
    ours: () => fs.restore(first),
    peers: {
      "git reset --hard && git clean -xfd"() {
        git("reset", "-q", "--hard");
        git("clean", "-xfdq");
      },
    },
    targets: [{ peer: "git reset --hard && git clean -xfd", atMost: 1 }],
  });
  await run.compare({
    name: `transaction around one file, ${label}`,
    async ours() {
      for (let index = 0; index < 50; index++) {
        const transaction = await fs.begin();
        await fs.write(FILE, `transaction ${version++}`, { mode: "overwrite" });
        await transaction.rollback();
      }
      return 50;
    },
    peers: { [peer]: addAndWrite },
    targets: [{ peer, atLeast: 20 }],
  });
  await fs.close();
  await wary.close();
  rmSync(base, { recursive: true, force: true });
}

async function firstCapture(workspace: string): Promise<void> {
  const fs = await HostFilesystem.open(workspace, { fsync: false });
  await fs.snapshot();
  await fs.close();
}

function makeTree(workspace: string, count: number): void {
  const folders = Math.ceil(count / 1_000);
  for (let index = 0; index < count; index++) {
    const folder = `d${index % 20}/e${Math.floor(index / 20) % folders}`;
    const path = join(workspace, folder, `file-${index}.ts`);
    if (Math.floor(index / 20) < folders) mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `const line = ${index};\n`.repeat(100).slice(0, 2_000));
  }
}

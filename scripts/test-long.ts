import { execa } from "execa";
import { root } from "./repository.js";

/** A test that is small in the ordinary run for speed, and its full size. */
interface LongProof {
  readonly name: string;
  readonly proves: string;
  readonly files: readonly string[];
  readonly sizes: Readonly<Record<string, string>>;
}

const PROOFS: readonly LongProof[] = [
  {
    name: "race",
    proves: "1,000,000 operations on the host while another process swaps directories for links",
    files: ["packages/filesystem/src/host/driver/host-race.test.ts"],
    sizes: { WINK_RACE_OPS: "1000000" },
  },
  {
    name: "removal",
    proves:
      "300 deletions by a transaction while a process in the directory swaps entries for links",
    files: ["packages/filesystem/src/host/undo/saved-entries.test.ts"],
    sizes: { WINK_REMOVAL_ROUNDS: "300" },
  },
  {
    name: "moments",
    proves:
      "one swap before each system call of every operation on the host, for every kind of swap",
    files: ["packages/workspace/src/attacks/every-moment.test.ts"],
    sizes: { WINK_MOMENTS: "all" },
  },
  {
    name: "faults",
    proves: "each system call of every operation on the host fails, once and from then on",
    files: ["packages/workspace/src/attacks/every-fault.test.ts"],
    sizes: { WINK_FAULTS: "all" },
  },
  {
    name: "workspace-kills",
    proves: "200 kills each of apply by path and by hunk, refresh with conflicts and partial undo",
    files: ["packages/workspace/src/workspace/workspace-kills.test.ts"],
    sizes: { WINK_WORKSPACE_KILLS: "200" },
  },
  {
    name: "resume",
    proves:
      "100 kills of a run with 40 turns, a subagent and approvals each on a directory, in memory, in SQLite, PostgreSQL and Redis, also of the servers, and 100 of external calls",
    files: [
      "packages/adapters/src/run/resume-kill.test.ts",
      "packages/adapters/src/run/resume-external.test.ts",
    ],
    sizes: { WINK_RESUME_KILLS: "100", WINK_EXTERNAL_KILLS: "100" },
  },
  {
    name: "long-run",
    proves:
      "a run over 400 files of 20 kB, killed in every turn while it asks or while it calls, sends the same next request",
    files: ["packages/adapters/src/run/long-run-kill.test.ts"],
    sizes: { WINK_LONG_RUN_STEP: "1" },
  },
  {
    name: "queued-subagents",
    proves:
      "50 kills of the workers of a run and its queued subagents each in SQLite, PostgreSQL and Redis",
    files: ["packages/adapters/src/group/queued-subagent-kill.test.ts"],
    sizes: { WINK_QUEUED_KILLS: "50" },
  },
  {
    name: "concurrent-runs",
    proves:
      "100 rounds of two and of eight concurrent runs on one directory, with and without kills",
    files: ["packages/workspace/src/workspace/concurrent-runs.test.ts"],
    sizes: { WINK_RUN_ROUNDS: "100" },
  },
  {
    name: "random-workspace",
    proves:
      "2,000 random sequences of edits and calls of a workspace: refresh, apply, undo, runs, discard",
    files: ["packages/workspace/src/workspace/random-workspace.test.ts"],
    sizes: { WINK_WORKSPACE_ROUNDS: "2000" },
  },
  {
    name: "concurrent-wink-runs",
    proves: "100 rounds of two and of eight concurrent `wink run`, with and without kills",
    files: ["apps/cli/src/run/concurrent-wink-runs.test.ts"],
    sizes: { WINK_CLI_RUN_ROUNDS: "100" },
  },
  {
    name: "git-kills",
    proves: "200 kills of git and 200 of Node during commits and snapshots in a user's repository",
    files: ["packages/workspace/src/git/git-kills.test.ts"],
    sizes: { WINK_GIT_KILLS: "200" },
  },
  {
    name: "workers",
    proves:
      "four workers on two queues of SQLite, PostgreSQL and BullMQ end 1,000 requests each exactly once while they are frozen, killed and stopped",
    files: ["packages/adapters/src/group/workers.test.ts"],
    sizes: { WINK_WORKER_REQUESTS: "1000" },
  },
  {
    name: "random-agents",
    proves:
      "the events of random agents, replayed, give the files after every call: 20,000 in memory, 1,000 on the host, 200 with Python and 50 with Podman",
    files: ["apps/cli/src/log/random-agents.test.ts"],
    sizes: {
      WINK_RANDOM_AGENTS_MEMORY: "20000",
      WINK_RANDOM_AGENTS_HOST: "1000",
      WINK_RANDOM_AGENTS_PYTHON: "200",
      WINK_RANDOM_AGENTS_PODMAN: "50",
    },
  },
  {
    name: "differential",
    proves: "1,000,000 random operations on each backend against a reference model",
    files: ["packages/filesystem/src/testing/differential/differential.test.ts"],
    sizes: { WINK_DIFF_OPS: "1000000" },
  },
  {
    name: "globs",
    proves: "1,000,000 random comparisons of globs with picomatch",
    files: ["packages/filesystem/src/search/glob/glob-pattern.property.test.ts"],
    sizes: { WINK_GLOB_RUNS: "100000" },
  },
  {
    name: "trees",
    proves: "10,000 random hostile trees captured, changed and restored",
    files: ["packages/filesystem/src/host/snapshots/random-trees.test.ts"],
    sizes: { WINK_TREES: "10000" },
  },
  {
    name: "flips",
    proves: "40 flipped bytes in each file of a snapshot store",
    files: ["packages/filesystem/src/host/snapshots/damaged-snapshots.test.ts"],
    sizes: { WINK_FLIPS: "40" },
  },
  {
    name: "kills",
    proves:
      "500 kills and every failing call in write, snapshot, restore, apply, undo and tool calls",
    files: [
      "packages/filesystem/src/host/snapshots/crash.test.ts",
      "packages/workspace/src/apply/apply-crash.test.ts",
      "packages/adapters/src/run/disk-run-kill.test.ts",
    ],
    sizes: { WINK_KILLS: "500", WINK_CRASH_POINTS: "all" },
  },
  {
    name: "saves",
    proves: "every style of saving a file at every system call of apply and undo, and 300 savers",
    files: ["packages/workspace/src/apply/apply-concurrent-save.test.ts"],
    sizes: { WINK_SAVE_MOMENTS: "all" },
  },
  {
    name: "schedules",
    proves: "100,000 schedules of concurrent tool calls, and 200,000 mutated ones",
    files: ["packages/adapters/src"],
    sizes: { WINK_SCHEDULES: "100000", WINK_MUTATED_RUNS: "1000" },
  },
  {
    name: "bash",
    proves:
      "500 random scripts that fail in the middle leave no trace, and 125 on the host and in SQLite",
    files: ["packages/tools/src/bash/failing-scripts.test.ts"],
    sizes: { WINK_BASH_RUNS: "500" },
  },
  {
    name: "stored-files",
    proves:
      "every case of the filesystem contract and 100,000 random operations with reopening, on every store",
    files: [
      "packages/filesystem/src/stored/stored-contract.test.ts",
      "packages/filesystem/src/stored/stored-differential.test.ts",
      "packages/filesystem/src/stored/stored-faults.test.ts",
      "packages/filesystem/src/stored/stored-round-trips.test.ts",
    ],
    sizes: {
      WINK_STORED_CONTRACT: "all",
      WINK_STORED_OPS: "100000",
      WINK_STORED_FAULTS: "20000",
      WINK_STORED_FILES: "10000",
    },
  },
  {
    name: "rados",
    proves:
      "the store contract, every case of the filesystem contract and 2,000 random operations with reopening on radosgw, a real S3 server",
    files: [
      "packages/store/src/s3/rados-gateway.test.ts",
      "packages/filesystem/src/stored/stored-contract.test.ts",
      "packages/filesystem/src/stored/stored-differential.test.ts",
    ],
    sizes: { WINK_RADOS: "1", WINK_STORED_CONTRACT: "all", WINK_STORED_OPS: "2000" },
  },
  {
    name: "store-faults",
    proves:
      "100,000 acknowledged commits through a faulty network to PostgreSQL, Redis and S3, 20 kills each of servers and writers, take-overs, full disks, evictions and servers that lost data",
    files: ["packages/store/src/faults"],
    sizes: { WINK_STORE_COMMITS: "34000", WINK_STORE_KILLS: "20" },
  },
  {
    name: "sandbox",
    proves: "50 rounds of everything that can go wrong in a container",
    files: ["packages/tools/src/podman/sandbox-faults.test.ts"],
    sizes: { WINK_SANDBOX_ROUNDS: "50" },
  },
  {
    name: "container-attack",
    proves:
      "a container that shares the workspace attacks every operation for ten minutes and 200,000 operations",
    files: ["packages/tools/src/podman/container-attack.test.ts"],
    sizes: { WINK_CONTAINER_ATTACK_SECONDS: "600", WINK_SANDBOX_RACE_OPS: "200000" },
  },
];

const wanted = process.argv.slice(2);
const chosen = PROOFS.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
if (wanted.includes("--help") || chosen.length === 0) {
  console.log("Runs the long forms of proofs: pnpm test:long [name …]\n");
  for (const { name, proves } of PROOFS) console.log(`  ${name.padEnd(13)} ${proves}`);
} else {
  for (const { name, proves, files, sizes } of chosen) {
    console.log(`\n# ${name}: ${proves}`);
    const result = await execa(
      "vitest",
      ["run", "--config", "scripts/vitest.config.ts", "--test-timeout=14400000", ...files],
      { cwd: root, preferLocal: true, stdio: "inherit", env: sizes, reject: false },
    );
    if (result.failed) process.exitCode = 1;
  }
}

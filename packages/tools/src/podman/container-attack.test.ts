/**
 * A container that shares the workspace attacks every operation of the host. It replaces directories and files by links,
 * also in directories that the host has moved away, through descriptors that it keeps open.
 *
 * Short by default. To run it longer:
 *
 *     WINK_CONTAINER_ATTACK_SECONDS=600 vitest run --config scripts/vitest.config.ts container-attack
 */
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { join } from "node:path";
import { isFilesystemError, isSnapshotError } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { expect, it, vi } from "vitest";
import {
  layOutside,
  lostTo,
  removeNaively,
  SECRET,
  startAttackers,
} from "./container-attacker.test.support.js";
import { hasPodman, makeFolder, openSandbox } from "./sandbox.test.support.js";

const OPERATIONS = Number(process.env["WINK_SANDBOX_RACE_OPS"] ?? 300);
const SECONDS = Number(process.env["WINK_CONTAINER_ATTACK_SECONDS"] ?? 3);

it.runIf(hasPodman)(
  `every host operation stays in the workspace for ${OPERATIONS.toLocaleString("en")} operations and ${SECONDS} s while a container replaces entries by links (SB-12, TM-13, H199)`,
  async () => {
    const outside = await makeFolder();
    layOutside(outside);
    const box = await openSandbox({ keepBackground: true, timeoutMs: 3_600_000 });
    const { root } = box.filesystem;
    for (const path of ["dir/secret.txt", "dir/leaf.txt", "leaf.txt"])
      await box.filesystem.write(path, "inside");
    await startAttackers(box, outside);
    // A second filesystem on the same directory, because the sandbox would kill the attackers before a rollback or restore.
    const direct = await HostFilesystem.open(root);
    const before = manifest(outside, "control");
    await vi.waitFor(() => expect(meetsLink(root)).toBe(true), { timeout: 60_000, interval: 1 });

    const tally = await attackFor(direct, OPERATIONS, SECONDS);
    const removals = await loseFiles(root, outside);

    console.log(
      `container attack: ${tally.done} operations, ${tally.removals} removals of swapped directories, ` +
        `${tally.failed} refused; control lost ${lostTo(outside)} files in ${removals} removals`,
    );
    expect(tally.escapes).toEqual([]);
    expect(manifest(outside, "control")).toEqual(before);
    expect(tally.foreign).toEqual([]);
    expect(tally.removals).toBeGreaterThan(0);
    // Otherwise no race happened, and the test proves nothing.
    expect(lostTo(outside)).toBeGreaterThan(0);
    await box.section.close();
    // The sandbox has removed the directory, so a transaction that is still open cannot be rolled back.
    await direct.close().catch((error: unknown) => {
      if (!isFilesystemError(error, "ENOENT")) throw error;
    });
    expect(manifest(outside, "control")).toEqual(before);
  },
  // Fails if an operation hangs, but not if the machine is busy.
  600_000 + SECONDS * 2_000 + OPERATIONS * 100,
);

type Step = (filesystem: HostFilesystem, round: number) => Promise<unknown>;

const STEPS: readonly Step[] = [
  (fs) => fs.read("dir/secret.txt"),
  (fs) => fs.read("leaf.txt"),
  (fs) => fs.readBytes("dir/leaf.txt"),
  (fs) => fs.stat("dir/secret.txt"),
  (fs) => fs.exists("dir/secret.txt"),
  (fs) => fs.list("dir"),
  (fs, round) => fs.write(`dir/w${round % 5}.txt`, "w"),
  (fs) => fs.write("leaf.txt", "inside"),
  (fs) => fs.write("dir/leaf.txt", "+", { mode: "append" }),
  (fs, round) => fs.delete(`dir/w${(round + 2) % 5}.txt`),
  (fs, round) => fs.mkdir(`dir/m${round % 5}`),
  (fs, round) => fs.delete(`dir/m${(round + 2) % 5}`, { recursive: true }),
  (fs, round) => fs.copy("dir/secret.txt", `c${round % 3}.txt`, { overwrite: true }),
  (fs, round) => fs.read(`c${round % 3}.txt`),
  (fs) => fs.move("dir/leaf.txt", "dir/moved.txt", { overwrite: true }),
  (fs) => fs.move("dir/moved.txt", "dir/leaf.txt", { overwrite: true }),
  (fs) => fs.glob("**/*.txt"),
  (fs) => fs.grep("canary"),
  (fs) => fs.usage(),
  (fs) => fs.copy("dir", "copied"),
  (fs) => fs.grep("canary", { path: "copied" }),
  (fs) => fs.delete("copied", { recursive: true }),
  (fs) => inTransaction(fs, "commit", () => fs.delete("dir", { recursive: true })),
  (fs) => fs.write("dir/secret.txt", "inside"),
  (fs) => inTransaction(fs, "rollback", () => fs.write("dir/leaf.txt", "changed")),
  async (fs) => {
    const snapshot = await fs.snapshot();
    await fs.write("dir/secret.txt", "changed");
    await fs.restore(snapshot);
    await fs.prune({ maxCount: 1, keepNamed: false });
  },
  async (fs) => {
    const fork = await fs.fork();
    try {
      return await fork.grep("canary");
    } finally {
      if (Symbol.asyncDispose in fork) await (fork as AsyncDisposable)[Symbol.asyncDispose]();
    }
  },
];

/** Removes the directories that the attackers keep open, both directly and in a transaction, which moves them away first. */
const REMOVALS: readonly Step[] = [
  (fs) => inTransaction(fs, "commit", () => fs.delete("doomed", { recursive: true })),
  (fs) => fs.delete("doomed", { recursive: true }),
];

async function inTransaction(
  fs: HostFilesystem,
  ending: "commit" | "rollback",
  work: () => Promise<unknown>,
): Promise<void> {
  const transaction = await fs.begin();
  try {
    await work();
    await transaction[ending]();
  } catch (error) {
    await transaction.rollback();
    throw error;
  }
}

interface Tally {
  done: number;
  /** The number of removals of a directory that an attacker keeps open. */
  removals: number;
  failed: number;
  readonly escapes: string[];
  /** Errors that contain a host path or are not `FilesystemError`s. */
  readonly foreign: string[];
}

async function attackFor(fs: HostFilesystem, operations: number, seconds: number): Promise<Tally> {
  const tally: Tally = { done: 0, removals: 0, failed: 0, escapes: [], foreign: [] };
  const end = performance.now() + seconds * 1_000;
  for (let round = 0; tally.done < operations || performance.now() < end; round++) {
    for (const removal of REMOVALS)
      if (await attempt(tally, () => removal(fs, round))) tally.removals++;
    // Searches and snapshots read the whole workspace, so they run less often.
    for (const step of STEPS.slice(0, round % 10 === 0 ? STEPS.length : 16))
      await attempt(tally, () => step(fs, round));
  }
  return tally;
}

async function attempt(tally: Tally, work: () => Promise<unknown>): Promise<boolean> {
  tally.done++;
  try {
    const shown = JSON.stringify(await work(), (_, value: unknown) =>
      value instanceof Uint8Array ? Buffer.from(value).toString() : value,
    );
    if (shown?.includes(SECRET)) tally.escapes.push(shown);
    return true;
  } catch (error) {
    tally.failed++;
    const isOurs = isFilesystemError(error) || isSnapshotError(error);
    if (!isOurs || String(error).includes("/proc/")) tally.foreign.push(String(error));
    return false;
  }
}

/** Shows that `fs.rm` of Node 20 and 22, and a removal by path names on any version, deletes files outside. */
async function loseFiles(root: string, outside: string): Promise<number> {
  const path = join(root, "control");
  let removals = 0;
  await vi.waitFor(
    () => {
      for (let time = 0; time < 10_000; time++) {
        if (!existsSync(path)) continue;
        try {
          if (removals++ % 2 === 0) rmSync(path, { recursive: true });
          else removeNaively(path);
        } catch {}
      }
      expect(lostTo(outside)).toBeGreaterThan(0);
    },
    { timeout: 120_000, interval: 1 },
  );
  return removals;
}

function meetsLink(root: string): boolean {
  for (let time = 0; time < 1_000; time++)
    try {
      readlinkSync(join(root, "dir"));
      return true;
    } catch {}
  return false;
}

/** The names, modes and contents of everything below a directory, except one entry. */
function manifest(directory: string, without: string): readonly string[] {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .filter((name) => !name.startsWith(`${without}/`) && name !== without)
    .sort()
    .map((name) => {
      const { mode } = lstatSync(join(directory, name));
      const isFile = lstatSync(join(directory, name)).isFile();
      return `${name} ${mode.toString(8)} ${isFile ? readFileSync(join(directory, name), "utf8") : ""}`;
    });
}

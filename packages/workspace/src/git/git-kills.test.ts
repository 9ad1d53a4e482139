import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { InMemoryFilesystem } from "@wink/filesystem";
import { build } from "vite";
import { expect, it, onTestFinished } from "vitest";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";
import { mountHost } from "../workspace/mount-host.js";
import { contentOf } from "./git-kills.test.program.js";
import { git, makeRepository } from "./repositories.test.support.js";
import { withRepositorySnapshots } from "./repository-snapshots.js";

const KILLS = Number(process.env["WINK_GIT_KILLS"] ?? (process.env["WINK_MORE_ROUNDS"] ? 16 : 4));
/** The last moment of a kill. A commit takes less time on a quiet machine, so some are not hit. */
const MAX_DELAY_MS = 40;

/** Puts a program before git in the path, which kills git while it writes, after a delay. */
function killGitAfter(): (delayMs: number) => void {
  const place = scratchDirectory();
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  const before = process.env["PATH"];
  onTestFinished(() => {
    process.env["PATH"] = before;
  });
  return (delayMs) => {
    const kill = `(sleep ${delayMs / 1000}; kill -9 $$) >/dev/null 2>&1 </dev/null &`;
    const script = `#!/bin/sh\ncase "$*" in *fast-import*) ${kill} ;; esac\nexec ${real} "$@"\n`;
    writeFileSync(join(place, "git"), script);
    chmodSync(join(place, "git"), 0o755);
    process.env["PATH"] = delayMs < 0 ? before : `${place}:${before}`;
  };
}

it(`after each of ${KILLS} kills of git during commit and snapshot, a reference is at the old or the new commit (SN-33, SN-35)`, async () => {
  const { directory } = makeRepository("plain");
  const filesystem = new InMemoryFilesystem();
  const options = {
    allowedHostRoots: [directory],
    stateDirectory: join(scratchDirectory(), "state"),
  };
  const workspace = await mountHost(filesystem, [{ hostPath: "." }], options);
  const snapshots = await withRepositorySnapshots(filesystem, directory);
  const setDelay = killGitAfter();
  const outcomes = { old: 0, new: 0 };
  for (let trial = 0; trial < KILLS; trial++) {
    const content = `trial ${trial}\n`.repeat(20_000);
    await filesystem.write("src/a.txt", content);
    await filesystem.write(`src/new-${trial}.txt`, content);
    const isCommit = trial % 2 === 0;
    const ref = isCommit ? `refs/heads/x${trial}` : `refs/sandbox/snapshots/s${trial}`;
    setDelay((trial / KILLS) * MAX_DELAY_MS);
    const work = isCommit
      ? workspace
          .changes()
          .commit({ branch: `x${trial}`, message: "m", author: { name: "A", email: "a@b" } })
      : snapshots.snapshot({ name: `s${trial}` });
    await work.catch(() => undefined);
    setDelay(-1);
    const isThere = git(directory, "for-each-ref", ref) !== "";
    outcomes[isThere ? "new" : "old"]++;
    if (isThere) expect(`${git(directory, "show", `${ref}:src/a.txt`)}\n`).toBe(content);
    git(directory, "fsck", "--strict", "--no-dangling");
  }
  expect(outcomes.old).toBeGreaterThan(0);
  expect(outcomes.old + outcomes.new).toBe(KILLS);
});

/** The program bundled into one file, because its start takes most of the time of a killed run. */
async function bundle(): Promise<string> {
  const outDir = scratchDirectory();
  await build({
    configFile: false,
    logLevel: "silent",
    ssr: { noExternal: true, resolve: { conditions: ["@wink/source"] } },
    build: {
      ssr: fileURLToPath(new URL("git-kills.test.program.ts", import.meta.url)),
      outDir,
      minify: false,
      target: "node20",
      rolldownOptions: { output: { entryFileNames: "git-kills.mjs" } },
    },
  });
  return join(outDir, "git-kills.mjs");
}

/** Runs the program and kills Node during its second step: alone, or together with git. */
async function killNode(args: readonly string[], delayMs: number, isGroup: boolean) {
  const child = spawn(process.execPath, args, {
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  const group = -(child.pid as number);
  const exited = once(child, "exit");
  let output = "";
  for await (const text of child.stdout) {
    output += String(text);
    if (!output.includes("second")) continue;
    await sleep(delayMs);
    try {
      process.kill(isGroup ? group : (child.pid as number), "SIGKILL");
    } catch {
      // It ended before.
    }
    break;
  }
  const [, signal] = await exited;
  // git notices that its input ended, and ends.
  for (let isAlive = true; isAlive; ) {
    isAlive = isRunning(group);
    if (isAlive) await sleep(5);
  }
  return signal === "SIGKILL";
}

function isRunning(group: number): boolean {
  try {
    process.kill(group, 0);
    return true;
  } catch {
    return false;
  }
}

const NODE_KILLS = KILLS > 16 ? KILLS : 4;

it(`after each of ${NODE_KILLS} kills of Node, alone or with git, a reference is at the old or the new commit (SN-33, SN-35)`, async () => {
  const { directory } = makeRepository("plain");
  const program = await bundle();
  const outcomes = { old: 0, new: 0, killed: 0 };
  for (let trial = 0; trial < NODE_KILLS; trial++) {
    const name = `t${trial}`;
    const isCommit = trial % 2 === 0;
    const args = [program, directory, join(scratchDirectory(), "state")];
    const action = isCommit ? "commit" : "snapshot";
    const delayMs = (trial / NODE_KILLS) * MAX_DELAY_MS;
    if (await killNode([...args, action, name], delayMs, trial % 4 < 2)) outcomes.killed++;
    const refs = isCommit
      ? [`refs/heads/${name}`]
      : [`refs/sandbox/snapshots/${name}-first`, `refs/sandbox/snapshots/${name}-second`];
    const [first = "", second] = refs.map((ref) => git(directory, "for-each-ref", ref));
    expect(first).not.toBe("");
    const tip = second ? `${name}-second` : isCommit ? name : `${name}-first`;
    const ref = isCommit ? `refs/heads/${tip}` : `refs/sandbox/snapshots/${tip}`;
    const content = `${git(directory, "show", `${ref}:src/a.txt`)}\n`;
    const isNew = content === contentOf("second");
    if (!isNew) expect(content).toBe(contentOf("first"));
    outcomes[isNew ? "new" : "old"]++;
    git(directory, "fsck", "--strict", "--no-dangling");
  }
  expect(outcomes.killed).toBeGreaterThan(0);
  expect(outcomes.old + outcomes.new).toBe(NODE_KILLS);
});

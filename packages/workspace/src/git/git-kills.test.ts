import { execFileSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { expect, it, onTestFinished } from "vitest";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";
import { mountHost } from "../workspace/mount-host.js";
import { git, makeRepository } from "./repositories.test.support.js";
import { withRepositorySnapshots } from "./repository-snapshots.js";

const KILLS = Number(process.env["WINK_GIT_KILLS"] ?? 16);
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

it(`after each of ${KILLS} kills during commit and snapshot, a reference is at the old or the new commit (SN-33, SN-35)`, async () => {
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

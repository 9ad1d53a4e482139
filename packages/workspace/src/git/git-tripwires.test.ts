import { execFileSync } from "node:child_process";
import { cpSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { expect, it } from "vitest";
import type { HostMount } from "../mount/host-mount.js";
import { scratchDirectory } from "../mount/tree-fixture.test.support.js";
import { mountHost } from "../workspace/mount-host.js";
import { makeHostile } from "./hostile-repository.test.support.js";
import { readHistory } from "./read-history.js";
import { git, makeRepository } from "./repositories.test.support.js";
import { withRepositorySnapshots } from "./repository-snapshots.js";
import { bundleStore, verifyStore } from "./store-maintenance.js";

interface Hostile {
  readonly directory: string;
  readonly gitDirectory: string;
}

async function mounted(directory: string, mount: Partial<HostMount> = {}) {
  const filesystem = new InMemoryFilesystem();
  const options = {
    allowedHostRoots: [directory],
    stateDirectory: join(scratchDirectory(), "state"),
  };
  const workspace = await mountHost(filesystem, [{ hostPath: ".", ...mount }], options);
  await filesystem.write("src/a.txt", `${process.hrtime.bigint()}\n`);
  return workspace;
}

/** Every operation that runs git. */
const OPERATIONS: Readonly<Record<string, (repository: Hostile) => Promise<unknown>>> = {
  "a commit to a new branch and to an existing one": async ({ directory }) => {
    const workspace = await mounted(directory);
    const { commitId } = await workspace.changes().commit({ branch: "x", message: "m" });
    const again = await mounted(directory, { git: { rev: "x" } });
    await again.changes().commit({ branch: "x", message: "m" });
    expect(commitId).toMatch(/^[0-9a-f]{40}$/);
  },
  "a commit that is refused": async ({ directory }) => {
    const workspace = await mounted(directory);
    await expect(
      workspace.changes().commit({ branch: "main", message: "m" }),
    ).rejects.toMatchObject({ name: "WorkspaceError" });
  },
  "a mount of a revision": async ({ directory }) => {
    await mounted(directory, { git: { rev: "main" } });
    await mounted(directory, { hostPath: "src", mountPath: "/", git: { rev: "HEAD^{}" } });
    await expect(mounted(directory, { git: { rev: "--all" } })).rejects.toThrow();
  },
  "snapshots in the repository": async ({ directory }) => {
    const files = await withRepositorySnapshots(new InMemoryFilesystem(), directory);
    await files.write("a.txt", "one\n");
    const first = await files.snapshot({ name: "s1", tag: "one" });
    await files.write("a.txt", "two\n");
    expect((await files.diff(first)).files).toHaveLength(1);
    await files.restore(first);
    expect(await files.snapshots()).toHaveLength(1);
    await files.deleteSnapshot(first);
  },
  "the history for a digest": async ({ directory }) => {
    expect((await readHistory(directory))?.recentCommits.length).toBeGreaterThan(0);
    await readHistory(join(directory, "src"));
  },
  "verify and bundle of a store": async ({ gitDirectory }) => {
    const place = scratchDirectory();
    const store = join(place, "store");
    cpSync(gitDirectory, store, { recursive: true });
    expect(await verifyStore(store)).toEqual([]);
    await bundleStore(store, join(place, "all.bundle"));
  },
};

it.each(Object.keys(OPERATIONS))(
  "no program of a hostile repository, user or environment runs: %s (SN-33)",
  async (name) => {
    const { directory, gitDirectory } = makeRepository("plain");
    const hostile = makeHostile(directory, gitDirectory);
    expect(hostile.count).toBeGreaterThanOrEqual(60);
    await OPERATIONS[name]?.({ directory, gitDirectory });
    expect(hostile.fired()).toEqual([]);
  },
);

it("plain git runs programs of the same repository (SN-33)", () => {
  const { directory, gitDirectory } = makeRepository("plain");
  const hostile = makeHostile(directory, gitDirectory);
  writeFileSync(join(directory, "untracked.txt"), "x\n");
  const commands = [
    ["update-ref", "refs/heads/control", "HEAD"],
    ["status"],
    ["add", "untracked.txt"],
    ["diff", "HEAD"],
    ["-p", "log", "-p"],
    ["commit", "-m", "m"],
    ["archive", "HEAD"],
    ["gc", "--auto"],
  ];
  for (const args of commands)
    try {
      execFileSync("git", args, { cwd: directory, stdio: ["ignore", "pipe", "ignore"] });
    } catch {
      // A tripwire does not do what git expects of the program.
    }
  expect(hostile.fired().length).toBeGreaterThanOrEqual(5);
  git(gitDirectory, "cat-file", "-e", "HEAD");
});

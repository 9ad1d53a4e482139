import { execFileSync } from "node:child_process";
import { chmodSync, statSync } from "node:fs";
import { join } from "node:path";
import type { SnapshotableFilesystem } from "@wink/filesystem";
import { describe, expect, it } from "vitest";
import { readTree } from "../mount/tree-fixture.test.support.js";
import { makeProject } from "./workspace.test.support.js";

interface Case {
  /** Shell commands. */
  readonly start: string;
  readonly agent: (fs: SnapshotableFilesystem) => Promise<unknown>;
  /** Shell commands of the user, or what another run does. */
  readonly other: string;
  /** The workspace after a refresh, without contents. */
  readonly result: readonly string[];
  readonly conflicts?: readonly string[];
}

const CASES: Readonly<Record<string, Case>> = {
  "a file in a directory that the other side removes": {
    start: "mkdir e",
    agent: (fs) => fs.write("e/new", "mine"),
    other: "rmdir e",
    result: ["e", "e/new"],
  },
  "a file in a directory that the other side replaces by a file": {
    start: "mkdir d; echo a > d/a",
    agent: (fs) => fs.write("d/new", "mine"),
    other: "rm -r d; echo file > d",
    result: ["d", "d/new"],
    conflicts: ["d blocked"],
  },
  "a file in a directory that the other side replaces by a link": {
    start: "mkdir d o; echo a > d/a",
    agent: (fs) => fs.write("d/a", "mine"),
    other: "rm -r d; ln -s o d",
    result: ["d", "d/a", "o"],
    conflicts: ["d blocked", "d/a missing"],
  },
  "a file in place of a directory in which the other side makes a file": {
    start: "mkdir d; echo a > d/a; echo b > b",
    async agent(fs) {
      await fs.delete("d", { recursive: true });
      await fs.write("d", "mine");
    },
    other: "echo new > d/new",
    result: ["b", "d"],
    conflicts: ["d/new blocked"],
  },
  "an empty directory where the other side makes a file": {
    start: "echo b > b",
    agent: (fs) => fs.mkdir("q/r"),
    other: "echo q > q",
    result: ["b", "q", "q/r"],
    conflicts: ["q blocked"],
  },
  "nothing at a file and a link that the other side replaces by empty directories": {
    start: "echo f > f; ln -s x link",
    agent: (fs) => fs.write("a", "mine"),
    other: "rm f link; mkdir f link",
    result: ["a", "f", "link"],
  },
  "nothing at a link that the other side changes": {
    start: "ln -s x link",
    agent: (fs) => fs.write("a", "mine"),
    other: "ln -sfn y link",
    result: ["a", "link"],
  },
  "another target of the link that the other side changes": {
    start: "ln -s x link",
    async agent(fs) {
      await fs.delete("link");
      await fs.symlink("z", "link");
    },
    other: "ln -sfn y link",
    result: ["link"],
    conflicts: ["link link"],
  },
};

const shell = (cwd: string, commands: string) => execFileSync("sh", ["-ec", commands], { cwd });

describe.each(Object.entries(CASES))("an agent's change: %s", (_, given) => {
  const { start, agent, other, result, conflicts = [] } = given;
  const shown = (found: readonly { readonly path: string; readonly reason: string }[]) =>
    found.map(({ path, reason }) => `${path} ${reason}`);

  it("is not lost by a refresh (WS-4)", async () => {
    const project = await makeProject({});
    shell(project.directory, start);
    const workspace = await project.open();
    await agent(workspace.filesystem);
    shell(project.directory, other);
    expect(shown((await workspace.refresh()).conflicts)).toEqual(conflicts);
    const tree = readTree(workspace.filesystem.root, { directories: true });
    expect(Object.keys(tree).sort()).toEqual(result);
    // A second refresh finds the same.
    expect(shown((await workspace.refresh()).conflicts)).toEqual(conflicts);
  });

  it("is not lost when the result of another run is merged (WS-10)", async () => {
    const project = await makeProject({});
    shell(project.directory, start);
    const workspace = await project.open();
    await using first = await workspace.startRun();
    await using second = await workspace.startRun();
    await agent(first.workspace.filesystem);
    const { filesystem } = second.workspace;
    await filesystem.transact(() => shell(filesystem.root, other), { full: true });
    const before = readTree(workspace.filesystem.root, { directories: true });
    const outcome = await second.finish();
    expect(shown(outcome.conflicts)).toEqual(conflicts);
    const tree = readTree(workspace.filesystem.root, { directories: true });
    if (conflicts.length === 0) expect(Object.keys(tree).sort()).toEqual(result);
    else expect(tree).toEqual(before);
    expect(outcome.kind).toBe(conflicts.length === 0 ? "merged" : "line");
  });
});

it("a refresh and an apply keep the permission bits that the user changed (WS-4, SN-49)", async () => {
  const project = await makeProject({ "a.txt": "a\n", "b.txt": "b\n", "c.txt": "c\n" });
  const at = (path: string) => join(project.directory, path);
  for (const path of ["a.txt", "b.txt", "c.txt"]) chmodSync(at(path), 0o644);
  const workspace = await project.open();
  await workspace.filesystem.write("a.txt", "mine\n");
  await workspace.filesystem.chmod("b.txt", 0o755);
  await workspace.filesystem.chmod("c.txt", 0o755);
  chmodSync(at("a.txt"), 0o600);
  chmodSync(at("b.txt"), 0o600);
  await workspace.refresh();
  expect((await workspace.filesystem.stat("a.txt")).mode).toBe(0o600);
  chmodSync(at("c.txt"), 0o600);
  await workspace.apply();
  const modes = ["a.txt", "b.txt", "c.txt"].map((path) => statSync(at(path)).mode & 0o777);
  expect(modes).toEqual([0o600, 0o711, 0o711]);
});

it("a merged run brings its permission bits, times and links (WS-10)", async () => {
  const project = await makeProject({ "a.txt": "a\n", "b.txt": "b\n" });
  chmodSync(join(project.directory, "b.txt"), 0o644);
  const workspace = await project.open();
  await using first = await workspace.startRun();
  await using second = await workspace.startRun();
  await first.workspace.filesystem.write("b.txt", "of the first\n");
  const { filesystem } = second.workspace;
  await filesystem.chmod("b.txt", 0o600);
  await filesystem.write("new", "secret");
  await filesystem.chmod("new", 0o600);
  await filesystem.utimes("new", new Date(1_000_000_000_007));
  expect((await second.finish()).kind).toBe("merged");
  const { mode, modifiedAt } = await workspace.filesystem.stat("new");
  expect([mode, modifiedAt]).toEqual([0o600, "2001-09-09T01:46:40.007Z"]);
  expect((await workspace.filesystem.stat("b.txt")).mode).toBe(0o600);
  expect((await workspace.filesystem.read("b.txt")).content).toBe("of the first\n");
});

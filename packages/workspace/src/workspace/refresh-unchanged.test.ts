import { execFileSync } from "node:child_process";
import { lstatSync, renameSync, rmSync, statSync, symlinkSync, utimesSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Workspace } from "./workspace.js";
import { makeProject, type Project } from "./workspace.test.support.js";

const FILES = {
  ".gitignore": "*.log\nbuild/\n",
  "a.txt": "a\n",
  "src/b.ts": "b\n",
  "src/deep/c.ts": "c\n",
  "src/app.log": "log\n",
  "build/out.js": "out\n",
  "notes/key.txt": `token = "ghp_${"aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"}"\n`,
};

/** Until then the stat of a file that was just written is not trusted, and everything is compared. */
async function settled(project: Project, path = "."): Promise<void> {
  const { ctimeMs } = lstatSync(join(project.directory, path));
  while (Date.now() < ctimeMs + 30) await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Whether a file is in the workspace. */
async function has(workspace: Workspace, path: string): Promise<boolean> {
  return await workspace.filesystem.exists(path);
}

it.each<
  [string, (project: Project) => unknown, (workspace: Workspace) => Promise<unknown>, unknown]
>([
  [
    "a rule that changed",
    (project) => project.write(".gitignore", "build/\n"),
    (workspace) => has(workspace, "src/app.log"),
    true,
  ],
  [
    "a new rule in a directory of the repository",
    (project) => project.write(".git/info/exclude", "*.ts\n"),
    (workspace) => has(workspace, "src/b.ts"),
    false,
  ],
  [
    "an ignored file that is tracked now",
    ({ directory }) => execFileSync("git", ["add", "-f", "build/out.js"], { cwd: directory }),
    (workspace) => has(workspace, "build/out.js"),
    true,
  ],
  [
    "a file that has no secret any more",
    (project) => project.write("notes/key.txt", "token = none\n"),
    (workspace) => has(workspace, "notes/key.txt"),
    true,
  ],
  [
    "a content with the old size and modification time",
    async (project) => {
      const file = join(project.directory, "src/b.ts");
      const { atime, mtime } = statSync(file);
      await project.write("src/b.ts", "B\n");
      utimesSync(file, atime, mtime);
    },
    (workspace) => workspace.filesystem.read("src/b.ts").then(({ content }) => content),
    "B\n",
  ],
  [
    "a new file in a directory with the old modification time",
    async (project) => {
      const directory = join(project.directory, "src/deep");
      const { atime, mtime } = statSync(directory);
      await project.write("src/deep/d.ts", "d\n");
      utimesSync(directory, atime, mtime);
    },
    (workspace) => has(workspace, "src/deep/d.ts"),
    true,
  ],
  [
    "a directory that became a link to the same files",
    ({ directory }) => {
      renameSync(join(directory, "src/deep"), join(directory, "moved"));
      symlinkSync("../moved", join(directory, "src/deep"));
    },
    (workspace) => workspace.filesystem.readlink("src/deep"),
    "../moved",
  ],
  [
    "a file that was deleted",
    ({ directory }) => rmSync(join(directory, "a.txt")),
    (workspace) => has(workspace, "a.txt"),
    false,
  ],
  [
    "a file that was deleted while the index was missing",
    ({ directory, stateDirectory }) => {
      rmSync(join(directory, "a.txt"));
      execFileSync("find", [stateDirectory, "-name", "index", "-delete"]);
    },
    (workspace) => has(workspace, "a.txt"),
    false,
  ],
])("refresh notices %s (WS-4)", async (_name, change, look, expected) => {
  const project = await makeProject(FILES);
  execFileSync("git", ["init", "-q"], { cwd: project.directory });
  rmSync(join(project.directory, ".git/info/exclude"), { force: true });
  await settled(project);
  await settled(project, ".git/info");
  const workspace = await project.open();
  expect(await look(workspace).catch(() => undefined)).not.toEqual(expected);
  const nothing = { updated: [], merged: [], conflicts: [] };
  expect(await workspace.refresh()).toEqual(nothing);
  await change(project);
  await workspace.refresh();
  expect(await look(workspace)).toEqual(expected);
  expect(await workspace.refresh()).toEqual(nothing);
  expect((await workspace.changes()).isEmpty).toBe(true);
});

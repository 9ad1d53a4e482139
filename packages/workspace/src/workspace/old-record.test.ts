import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { Workspace } from "./workspace.js";
import { makeProject } from "./workspace.test.support.js";

const FIXTURE = fileURLToPath(
  new URL("../../../../specs/fixtures/44ebf7e/cli-state", import.meta.url),
);
/** The directory before the run that made the fixture. */
const FILES = { "a.txt": "one\ntwo\n", "old.txt": "old\n", "sub/b.txt": "b\n" };

async function oldProject() {
  const project = await makeProject(FILES);
  const { directory, stateDirectory } = project;
  const { stateDirectory: home } = Workspace.find(directory, { stateDirectory });
  mkdirSync(dirname(home), { recursive: true });
  cpSync(FIXTURE, home, { recursive: true });
  moveSnapshot(home);
  return { project, home };
}

/** Snapshots belong to one directory, so the one of the fixture is rewritten for the directory of the test. */
function moveSnapshot(home: string): void {
  const git = (args: readonly string[], input?: string) =>
    execFileSync("git", ["--git-dir", join(home, "store"), ...args], { input, encoding: "utf8" });
  const record = join(home, "workspace.jsonl");
  const text = readFileSync(record, "utf8");
  const [, snapshotId = ""] = /"snapshotId":"([\w-]+)"/.exec(text) ?? [];
  const [, commit = ""] = /"commitRef":"(\w+)"/.exec(text) ?? [];
  const key = createHash("sha256").update(join(home, "files")).digest("hex").slice(0, 32);
  const moved = git(["cat-file", "commit", commit]).replace(
    /"rootKey":"\w+"/,
    `"rootKey":"${key}"`,
  );
  const id = git(["hash-object", "-t", "commit", "-w", "--stdin"], moved).trim();
  writeFileSync(join(home, "store/refs/wink/snapshots", snapshotId), `${id}\n`);
  writeFileSync(record, text.replaceAll(commit, id));
}

it("the state of an earlier version is converted, and its changes can be applied and undone (WS-1)", async () => {
  const { project, home } = await oldProject();
  const workspace = await project.open({ create: false });
  const before = (await workspace.changes()).files.map(({ type, path }) => `${type} ${path}`);
  expect(before).toEqual(["modified a.txt", "added new.txt", "added own.txt"]);
  await project.write("sub/b.txt", "saved by the user\n");
  expect(await workspace.refresh()).toMatchObject({ updated: ["sub/b.txt"], conflicts: [] });
  await workspace.apply();
  const applied = await project.read();
  expect(applied).toMatchObject({ "sub/b.txt": "saved by the user\n", "old.txt": "old\n" });
  for (const path of ["a.txt", "new.txt", "own.txt"])
    expect(applied[path]).toBe(readFileSync(join(home, "files", path), "utf8"));
  await workspace.undo();
  expect(await project.read()).toEqual({ ...FILES, "sub/b.txt": "saved by the user\n" });
});

it("a file that was deleted in the directory is noticed after the conversion (WS-1, WS-4)", async () => {
  const { project } = await oldProject();
  const workspace = await project.open();
  rmSync(join(project.directory, "sub/b.txt"));
  expect((await workspace.refresh()).updated).toContain("sub/b.txt");
  expect(await workspace.filesystem.exists("sub/b.txt")).toBe(false);
});

it("the state of an earlier version with an unfinished step is refused by name (WS-1)", async () => {
  const { project, home } = await oldProject();
  const event = { type: "workspace.start-apply", payload: {} };
  appendFileSync(join(home, "workspace.jsonl"), `${JSON.stringify({ kind: "event", event })}\n`);
  await expect(project.open()).rejects.toMatchObject({
    code: "STATE_UNREADABLE",
    message: expect.stringContaining(
      "an earlier version of wink was killed during an unfinished apply",
    ),
  });
  expect(await project.read()).toEqual(FILES);
});

import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withRepositorySnapshots } from "@wink/workspace/git";
import { expect, it } from "vitest";
import { openWorkspace } from "../workspace/open-workspace.js";
import { callWink } from "../workspace/wink-process.test.support.js";
import { makeProject } from "../workspace/workspace.test.support.js";

const FILES = { "src/cart.ts": "one\ntwo\n", "README.md": "# Shop\n" };

/** A project in a repository, whose workspace has a change by an agent. */
async function changedRepository() {
  const project = await makeProject(FILES);
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], {
      cwd: project.directory,
      encoding: "utf8",
    }).trim();
  git("init", "-q", "-b", "main");
  git("add", ".");
  git("commit", "-qm", "first");
  await using workspace = await openWorkspace(project.directory, { ...project, create: true });
  await workspace.filesystem.write("src/cart.ts", "one\n2\n");
  const files = await withRepositorySnapshots(workspace.filesystem, project.directory);
  await files.snapshot({ name: "before", tag: "before refactor" });
  return { ...project, git };
}

it("wink apply --branch commits the changes, and the directory does not change (CL-32, SN-33)", async () => {
  const { directory: cwd, env, git, read } = await changedRepository();
  const before = withoutGit(await read());
  const args = ["apply", "--branch", "fix/median", "--message", "Fix the median"];
  const { exitCode, stdout } = await callWink(args, { cwd, env });
  const id = git("rev-parse", "fix/median");
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout: `1 change committed to fix/median as ${id.slice(0, 12)}. ${cwd} did not change.\n`,
  });
  expect(git("log", "-1", "--format=%s", "fix/median")).toBe("Fix the median");
  expect(git("show", "fix/median:src/cart.ts")).toBe("one\n2");
  expect(git("status", "--porcelain")).toBe("");
  expect(withoutGit(await read())).toEqual(before);

  const refused = await callWink(["apply", "--branch", "main"], { cwd, env });
  expect(refused.exitCode).not.toBe(0);
  expect(refused.stderr).toContain("branch 'main': It is checked out");
});

it("wink snapshots --repository, verify and export use git (CL-34, SN-35)", async () => {
  const { directory: cwd, env, git } = await changedRepository();
  const listed = await callWink(["snapshots", "--repository"], { cwd, env });
  expect(listed.stdout).toMatch(/^before {2}.* before refactor$/m);
  const verified = await callWink(["snapshots", "verify"], { cwd, env });
  expect(verified).toMatchObject({
    exitCode: 0,
    stdout: "Every snapshot of the store is complete.\n",
  });
  const file = join(cwd, "snapshots.bundle");
  expect((await callWink(["snapshots", "export", "--bundle", file], { cwd, env })).exitCode).toBe(
    0,
  );
  expect(git("bundle", "list-heads", file)).toContain("refs/wink/snapshots/");
});

it("no program of a hostile repository runs during wink apply and wink snapshots (CL-32)", async () => {
  const { directory: cwd, env, git } = await changedRepository();
  const marks = join(cwd, "../marks");
  mkdirSync(marks, { recursive: true });
  const tripwire = join(marks, "../tripwire");
  const script = `#!/bin/sh\ntouch "${marks}/$(basename "$0")"\ncat 2>/dev/null\n`;
  writeFileSync(tripwire, script, { mode: 0o755 });
  for (const hook of ["reference-transaction", "post-commit", "post-index-change", "pre-auto-gc"])
    copyFileSync(tripwire, join(cwd, ".git/hooks", hook));
  const settings = ["core.fsmonitor", "core.pager", "gpg.program", "diff.external", "core.editor"];
  for (const setting of [...settings, "filter.trap.process", "filter.trap.smudge"])
    git("config", setting, tripwire);
  git("config", "commit.gpgSign", "true");
  writeFileSync(join(cwd, ".git/info/attributes"), "* filter=trap diff=trap\n");

  for (const args of [
    ["apply", "--branch", "x", "--message", "m"],
    ["snapshots", "--repository"],
    ["snapshots", "verify"],
    ["snapshots", "export", "--bundle", join(marks, "../all.bundle")],
  ])
    expect(await callWink(args, { cwd, env })).toMatchObject({ exitCode: 0 });
  expect(readdirSync(marks)).toEqual([]);

  git("update-ref", "refs/heads/control", "HEAD");
  expect(readdirSync(marks)).toEqual(["reference-transaction"]);
});

function withoutGit(files: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(files).filter(([path]) => !path.startsWith(".git/")));
}

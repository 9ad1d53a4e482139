import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import { memoryIo } from "../terminal/memory-io.test.support.js";
import { openWorkspace } from "../workspace/open-workspace.js";
import { callWink, runWink } from "../workspace/wink-process.test.support.js";
import { makeProject, type Project } from "../workspace/workspace.test.support.js";
import { runProgram } from "./program.js";

// Starting a process can take many seconds on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

const FILES = {
  "src/cart.ts": "one\ntwo\nthree\nfour\n",
  "README.md": "# Shop\n",
  "old.txt": "gone\n",
};
const CHANGED = { "src/cart.ts": "one\n2\nthree\nfour\n", "odd näme.txt": "o\n" };

/** A project whose workspace has changes by an agent. */
async function changedProject(): Promise<Project> {
  const project = await makeProject(FILES);
  await using workspace = await openWorkspace(project.directory, { ...project, create: true });
  await workspace.filesystem.snapshot({ name: "start", tag: "before\u001b[31m it all" });
  for (const [path, content] of Object.entries(CHANGED))
    await workspace.filesystem.write(path, content);
  await workspace.filesystem.delete("old.txt");
  return project;
}

const AFTER = { "README.md": FILES["README.md"], ...CHANGED };

describe("the workspace commands", () => {
  it("show the changes, apply them and undo the apply (CL-31, CL-32, CL-33)", async () => {
    const { directory, env, read } = await changedProject();
    const below = join(directory, "src");
    const changes = await runWink(["changes"], { cwd: below, env });
    expect(changes).toEqual({
      exitCode: 0,
      stdout: `3 changes in the workspace of ${directory}:

  A odd näme.txt
  D old.txt
  M src/cart.ts

Review: wink diff -w ..
Apply:  wink apply -w ..
`,
      stderr: "",
    });

    const { stdout: patch } = await runWink(["diff"], { cwd: below, env });
    execFileSync("git", ["apply", "--check", "-"], { cwd: directory, input: patch });
    const some = await callWink(["diff", ".", "../odd näme.txt"], { cwd: below, env });
    expect(some.stdout).toContain("+++ b/src/cart.ts\n");
    expect(some.stdout).toContain("+o\n");
    expect(some.stdout).not.toContain("old.txt");
    execFileSync("git", ["apply", "--check", "-"], { cwd: directory, input: some.stdout });

    expect(await runWink(["apply"], { cwd: directory, env })).toEqual({
      exitCode: 3,
      stdout: "",
      stderr:
        "wink: This command asks for confirmation, but there is no terminal.\nAdd --yes to continue without a question.\n",
    });
    expect(await read()).toEqual(FILES);

    const applied = await runWink(["apply", "--yes", "--json"], { cwd: directory, env });
    expect(JSON.parse(applied.stdout)).toEqual({
      directory,
      applied: true,
      written: ["odd näme.txt", "src/cart.ts"],
      deleted: ["old.txt"],
      merged: [],
      outside: [],
      conflicts: [],
    });
    expect(await read()).toEqual(AFTER);
    expect((await callWink(["apply", "--yes"], { cwd: directory, env })).stdout).toBe(
      `Nothing to apply: ${directory} already has every change.\n`,
    );
    expect((await runWink(["undo", "--yes"], { cwd: directory, env })).stdout).toBe(
      `3 changes undone in ${directory}, and kept in the workspace.\n`,
    );
    expect(await read()).toEqual(FILES);
  });

  it("report conflicts in words and by exit code, and can merge (CL-32, CL-33)", async () => {
    const { directory: cwd, env, read, write } = await changedProject();
    await write("src/cart.ts", "one\ntwo\nthree\n4\n");
    await write("old.txt", "changed\n");
    const refused = await callWink(["apply", "--yes"], { cwd, env });
    expect(refused).toMatchObject({ exitCode: 3, stderr: "" });
    expect(refused.stdout).toBe(`Nothing was applied to ${cwd}:

  ! old.txt was also changed in the directory
  ! src/cart.ts was also changed in the directory

Review: wink diff
Combine changes of different lines: wink apply --on-conflict merge
`);
    await write("old.txt", "gone\n");
    const merge = ["apply", "--on-conflict", "merge"];
    const planned = await callWink([...merge, "--dry-run"], { cwd, env });
    expect(planned).toMatchObject({ exitCode: 0, stdout: expect.stringContaining("would be") });
    expect((await read())["src/cart.ts"]).toBe("one\ntwo\nthree\n4\n");
    expect((await callWink([...merge, "--yes"], { cwd, env })).exitCode).toBe(0);
    expect((await read())["src/cart.ts"]).toBe("one\n2\nthree\n4\n");

    await write("src/cart.ts", "mine again\n");
    const kept = await callWink(["undo", "--yes", "--json"], { cwd, env });
    expect(kept.exitCode).toBe(3);
    expect(JSON.parse(kept.stdout)).toMatchObject({
      undone: false,
      conflicts: [{ path: "src/cart.ts", reason: "changed" }],
    });
    expect((await read())["src/cart.ts"]).toBe("mine again\n");
  });

  it("say that the undo of an applied line is lost with the line (CL-33)", async () => {
    const { directory: cwd, env, read, ...project } = await makeProject(FILES);
    await using workspace = await openWorkspace(cwd, { ...project, env, create: true });
    const runs = [await workspace.startRun(), await workspace.startRun()];
    for (const [index, run] of runs.entries())
      await run.workspace.filesystem.write("README.md", `# Shop ${index}\n`);
    const outcomes = [await runs[0]?.finish(), await runs[1]?.finish()];
    const line = outcomes[1]?.line ?? "";
    expect((await callWink(["apply", "--line", line, "--yes"], { cwd, env })).exitCode).toBe(0);
    expect((await read())["README.md"]).toBe("# Shop 1\n");
    const { stdout } = await callWink(["discard", "--line", line, "--yes"], { cwd, env });
    expect(stdout).toBe(
      `The line ${line} is deleted. Its applied changes can no longer be undone.\n`,
    );
    expect(workspace.lines.list()).toEqual([]);
  });

  it("list, compare, restore and prune snapshots (CL-41)", async () => {
    const { directory: cwd, env, read } = await changedProject();
    const list = await callWink(["snapshots"], { cwd, env });
    expect(list.stdout).toMatch(/^start {2}\d{4}-\d\d-\d\d \d\d:\d\d {2}before�\[31m it all\n$/);
    const diff = await callWink(["snapshots", "diff", "start"], { cwd, env });
    expect(diff.stdout).toContain("-two\n+2\n");
    const unknown = await callWink(["snapshots", "restore", "none", "--yes"], { cwd, env });
    expect(unknown).toEqual({
      exitCode: 2,
      stdout: "",
      stderr: "wink: Snapshot none does not exist.\nThere are: start.\n",
    });
    expect((await callWink(["snapshots", "restore", "start"], { cwd, env })).exitCode).toBe(3);
    const restored = await callWink(["snapshots", "restore", "start", "--yes"], { cwd, env });
    expect(restored.stdout).toContain("The previous state is saved as before-restore.");
    const changes = await callWink(["changes", "--json"], { cwd, env });
    expect(JSON.parse(changes.stdout)).toMatchObject({ files: [], undoable: 0 });
    // The saved snapshot restores the previous state.
    await callWink(["snapshots", "restore", "before-restore", "--yes"], { cwd, env });
    const back = await callWink(["changes", "--json"], { cwd, env });
    expect(JSON.parse(back.stdout)).toMatchObject({ files: { length: 3 } });

    expect((await callWink(["snapshots", "prune"], { cwd, env })).exitCode).toBe(2);
    const pruned = await callWink(["snapshots", "prune", "--all", "--yes", "--json"], { cwd, env });
    expect(JSON.parse(pruned.stdout)).toMatchObject({ deleted: { length: 3 } });
    // The workspace itself is still usable.
    expect((await callWink(["apply", "--yes"], { cwd, env })).exitCode).toBe(0);
    expect(await read()).toEqual(AFTER);
  });

  it("discard changes, and report a missing workspace (CL-31)", async () => {
    const { directory: cwd, env, state } = await changedProject();
    expect((await callWink(["changes", "--discard"], { cwd, env })).exitCode).toBe(3);
    const discarded = await callWink(["changes", "--discard", "--yes"], { cwd, env });
    expect(discarded.stdout).toBe(
      "3 changes discarded. The previous state is saved as the snapshot before-discard.\n",
    );
    expect((await callWink(["changes"], { cwd, env })).stdout).toBe(
      `No changes in the workspace of ${cwd}.\n`,
    );
    const elsewhere = join(state, "..", "elsewhere");
    await mkdir(elsewhere);
    expect(await callWink(["diff"], { cwd: elsewhere, env })).toEqual({
      exitCode: 1,
      stdout: "",
      stderr: `wink: ${elsewhere} has no workspace yet.\nwink run and wink mcp create one.\n`,
    });
  });

  it.each([
    [["apply"], { applied: false }],
    [["snapshots", "restore", "start"], { restored: null }],
    [["snapshots", "prune", "--all"], { deleted: [] }],
    [["changes", "--discard"], { discarded: [] }],
  ])("print JSON for %j also after a no to the question (CL-4, CL-6)", async (args, outcome) => {
    const { directory: cwd, env } = await changedProject();
    const stdin = new PassThrough();
    const io = memoryIo({ cwd, env, stdin, isTerminal: true });
    stdin.end("n\n");
    expect(await runProgram(io, [...args, "--json"])).toBe(3);
    expect(JSON.parse(io.out())).toMatchObject({ directory: cwd, ...outcome });
  });
});

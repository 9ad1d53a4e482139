import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Workspace } from "./workspace.js";
import { makeProject } from "./workspace.test.support.js";

/** Puts an earlier record back, as if the process was killed before it saved the last one. */
async function forget({ stateDirectory }: Workspace, fields: object): Promise<void> {
  const path = join(stateDirectory, "workspace.json");
  const record = JSON.parse(await readFile(path, "utf8"));
  await writeFile(path, JSON.stringify({ ...record, ...fields }));
}

async function recordOf({ stateDirectory }: Workspace) {
  return JSON.parse(await readFile(join(stateDirectory, "workspace.json"), "utf8"));
}

it("Workspace.open repeats a copy that a killed process had not finished (WS-1, WS-2)", async () => {
  const project = await makeProject({ "a.txt": "0\n", "b/c.txt": "c\n" });
  {
    await using workspace = await project.open();
    await workspace.changes();
    await forget(workspace, { phase: "copying", base: null });
    const files = join(workspace.stateDirectory, "files");
    await rm(join(files, "a.txt"));
    await writeFile(join(files, "half.txt"), "h");
  }
  await using workspace = await project.open();
  expect((await workspace.filesystem.glob("**")).map(({ path }) => path).sort()).toEqual([
    "a.txt",
    "b/c.txt",
  ]);
  expect((await workspace.changes()).isEmpty).toBe(true);
});

it("Workspace.open finds an apply that the killed process had not recorded, and can undo it (WS-1, WS-2)", async () => {
  const project = await makeProject({ "a.txt": "0\n" });
  {
    await using workspace = await project.open();
    await workspace.filesystem.write("a.txt", "1\n");
    const before = await recordOf(workspace);
    await workspace.apply();
    const { base, applied } = await recordOf(workspace);
    const next = { base, applied };
    const { undoToken } = applied[0];
    await forget(workspace, { ...before, pending: { kind: "apply", undoToken, next } });
  }
  {
    await using workspace = await project.open();
    expect((await workspace.changes()).isEmpty).toBe(true);
    const before = await recordOf(workspace);
    await workspace.undo();
    expect(await project.read()).toEqual({ "a.txt": "0\n" });
    const { base, applied } = await recordOf(workspace);
    const { undoToken } = before.applied[0];
    const pending = { kind: "undo", undoToken, next: { base, applied } };
    await forget(workspace, { ...before, pending });
  }
  await using workspace = await project.open();
  expect(workspace.applied).toEqual([]);
  expect((await workspace.changes()).files.map(({ path }) => path)).toEqual(["a.txt"]);
});

it("Workspace.open rolls back a transaction whose process was killed (WS-1, WS-2)", async () => {
  const project = await makeProject({ "a.txt": "0\n" });
  {
    await using workspace = await project.open();
    await workspace.filesystem.begin();
    await workspace.filesystem.write("a.txt", "half\n");
  }
  await using workspace = await project.open();
  expect((await workspace.changes()).isEmpty).toBe(true);
});

describe("in place", () => {
  it("writes each committed transaction to the directory, and no rolled back one (WS-12)", async () => {
    const project = await makeProject({ "a.txt": "0\n" });
    await using workspace = await project.open({ inPlace: true });
    const { filesystem } = workspace;
    const first = await filesystem.begin();
    await filesystem.write("a.txt", "1\n");
    expect(await project.read()).toEqual({ "a.txt": "0\n" });
    await first.commit();
    expect(await project.read()).toEqual({ "a.txt": "1\n" });
    const second = await filesystem.begin();
    await filesystem.write("a.txt", "2\n");
    await second.rollback();
    expect(await project.read()).toEqual({ "a.txt": "1\n" });
    await workspace.undo();
    expect(await project.read()).toEqual({ "a.txt": "0\n" });
  });

  it("refuses a transaction that conflicts with a change in the directory, and names the file (WS-12)", async () => {
    const project = await makeProject({ "a.txt": "0\n", "b.txt": "b\n" });
    await using workspace = await project.open({ inPlace: true });
    const { filesystem } = workspace;
    const transaction = await filesystem.begin();
    await filesystem.write("a.txt", "mine\n");
    await filesystem.write("b.txt", "mine\n");
    await project.write("a.txt", "theirs\n");
    await expect(transaction.commit()).rejects.toMatchObject({ code: "ESTALE", path: "a.txt" });
    await transaction.rollback();
    expect(await project.read()).toEqual({ "a.txt": "theirs\n", "b.txt": "b\n" });
    await workspace.refresh();
    expect((await filesystem.read("a.txt")).content).toBe("theirs\n");
  });

  it("uses the state of the directory if the process was killed between apply and commit (WS-12)", async () => {
    const project = await makeProject({ "a.txt": "0\n" });
    {
      await using workspace = await project.open({ inPlace: true });
      const transaction = await workspace.filesystem.begin();
      await workspace.filesystem.write("a.txt", "1\n");
      await transaction.commit();
      await forget(workspace, { inPlace: true });
      // The next process finds the files like this if the transaction was not committed.
      await writeFile(join(workspace.stateDirectory, "files/a.txt"), "0\n");
    }
    await using workspace = await project.open({ inPlace: true });
    expect((await workspace.changes()).isEmpty).toBe(true);
    expect((await workspace.filesystem.read("a.txt")).content).toBe("1\n");
    await workspace.undo();
    expect(await project.read()).toEqual({ "a.txt": "0\n" });
  });
});

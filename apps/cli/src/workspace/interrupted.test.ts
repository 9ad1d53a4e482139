import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "./open-workspace.js";
import type { Workspace } from "./workspace.js";
import { makeProject, type Project } from "./workspace.test.support.js";

function open({ directory, env }: Project, options: { readonly inPlace?: boolean } = {}) {
  return openWorkspace(directory, { env, create: true, ...options });
}

/** Removes the last event from the record, as if the process was killed before it wrote `event`. */
async function forgetLast({ place }: Workspace, event: string): Promise<void> {
  const lines = (await readFile(place.record, "utf8")).trimEnd().split("\n");
  expect(lines.pop()).toContain(event);
  await writeFile(place.record, `${lines.join("\n")}\n`);
}

it("openWorkspace repeats a copy that a killed process had not finished (CL-36)", async () => {
  const project = await makeProject({ "a.txt": "0\n", "b/c.txt": "c\n" });
  {
    await using workspace = await open(project);
    await forgetLast(workspace, "workspace.finish-mount");
    await rm(join(workspace.place.files, "a.txt"));
    await writeFile(join(workspace.place.files, "half.txt"), "h");
  }
  await using workspace = await open(project);
  expect((await workspace.filesystem.glob("**")).map(({ path }) => path).sort()).toEqual([
    "a.txt",
    "b/c.txt",
  ]);
  expect((await workspace.changes()).isEmpty).toBe(true);
});

it("openWorkspace finds an apply that the killed process had not recorded, and can undo it (CL-36)", async () => {
  const project = await makeProject({ "a.txt": "0\n" });
  {
    await using workspace = await open(project);
    await workspace.filesystem.write("a.txt", "1\n");
    await workspace.apply();
    await forgetLast(workspace, "workspace.finish-apply");
  }
  {
    await using workspace = await open(project);
    expect((await workspace.changes()).isEmpty).toBe(true);
    await workspace.undo();
    expect(await project.read()).toEqual({ "a.txt": "0\n" });
    await forgetLast(workspace, "workspace.finish-undo");
  }
  await using workspace = await open(project);
  expect((await workspace.record()).applied).toEqual([]);
  expect((await workspace.changes()).files.map(({ path }) => path)).toEqual(["a.txt"]);
});

it("openWorkspace rolls back a transaction whose process was killed (CL-36)", async () => {
  const project = await makeProject({ "a.txt": "0\n" });
  {
    await using workspace = await open(project);
    await workspace.filesystem.begin();
    await workspace.filesystem.write("a.txt", "half\n");
  }
  await using workspace = await open(project);
  expect((await workspace.changes()).isEmpty).toBe(true);
});

describe("in place", () => {
  it("writes each committed transaction to the directory, and no rolled back one (CL-38)", async () => {
    const project = await makeProject({ "a.txt": "0\n" });
    await using workspace = await open(project, { inPlace: true });
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

  it("refuses a transaction that conflicts with a change in the directory, and names the file (CL-38)", async () => {
    const project = await makeProject({ "a.txt": "0\n", "b.txt": "b\n" });
    await using workspace = await open(project, { inPlace: true });
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

  it("uses the state of the directory if the process was killed between apply and commit (CL-36, CL-38)", async () => {
    const project = await makeProject({ "a.txt": "0\n" });
    {
      await using workspace = await open(project, { inPlace: true });
      const transaction = await workspace.filesystem.begin();
      await workspace.filesystem.write("a.txt", "1\n");
      await transaction.commit();
      await forgetLast(workspace, "workspace.finish-in-place");
      // The next process finds the files like this if the transaction was not committed.
      await writeFile(join(workspace.place.files, "a.txt"), "0\n");
    }
    await using workspace = await open(project, { inPlace: true });
    expect((await workspace.changes()).isEmpty).toBe(true);
    expect((await workspace.filesystem.read("a.txt")).content).toBe("1\n");
    await workspace.undo();
    expect(await project.read()).toEqual({ "a.txt": "0\n" });
  });

  it("is refused while there are unapplied changes, until they are discarded (CL-38)", async () => {
    const project = await makeProject({ "a.txt": "0\n" });
    await using workspace = await open(project);
    await workspace.filesystem.write("a.txt", "1\n");
    await expect(open(project, { inPlace: true })).rejects.toMatchObject({ exitCode: 3 });
    await workspace.discard({ keepAs: "kept" });
    await using inPlace = await open(project, { inPlace: true });
    expect((await inPlace.filesystem.read("a.txt")).content).toBe("0\n");
    expect((await inPlace.snapshots()).map(({ name }) => name)).toEqual(["kept"]);
  });
});

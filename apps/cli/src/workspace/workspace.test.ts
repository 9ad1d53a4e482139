import { chmod, mkdir, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { InMemoryFilesystem } from "@wink/filesystem";
import { isApplyConflictError } from "@wink/workspace";
import { describe, expect, it } from "vitest";
import { openWorkspace } from "./open-workspace.js";
import { WorkspaceTurn } from "./record-log.js";
import { selectChanges } from "./select-changes.js";
import { stateDirectory } from "./state-directory.js";
import { takeTurns } from "./turned-transactions.js";
import type { Workspace } from "./workspace.js";
import { makeProject, type Project } from "./workspace.test.support.js";
import { findPlace } from "./workspace-place.js";

const FILES = { "src/cart.ts": "one\ntwo\nthree\n", "README.md": "# Shop\n" };

function open({ directory, env }: Project, options: { readonly refresh?: boolean } = {}) {
  return openWorkspace(directory, { env, create: true, ...options });
}

const typesOf = async (workspace: Workspace) =>
  (await workspace.changes()).files.map(({ type, path }) => `${type} ${path}`);

describe("the place of a workspace", () => {
  it.each([
    [{ WINK_STATE_DIR: "/a", XDG_STATE_HOME: "/b", HOME: "/c" }, "/a"],
    [{ XDG_STATE_HOME: "/b", HOME: "/c" }, "/b/wink"],
    [{ XDG_STATE_HOME: "relative", HOME: "/c" }, "/c/.local/state/wink"],
    [{ HOME: "/c" }, "/c/.local/state/wink"],
  ])("is in the state directory of %j (CL-30)", (env, expected) => {
    expect(stateDirectory(env)).toBe(expected);
  });

  it("is the same for every name of a directory (CL-30)", async () => {
    const project = await makeProject(FILES);
    const link = join(project.directory, "..", "link");
    await symlink(project.directory, link);
    await using first = await open(project);
    await first.filesystem.write("new.txt", "n\n");
    await using second = await openWorkspace(link, { env: project.env });
    expect(await typesOf(second)).toEqual(["added new.txt"]);
  });

  it("is refused inside of the directory that it copies (CL-30)", async () => {
    const { directory } = await makeProject(FILES);
    const env = { WINK_STATE_DIR: join(directory, "state") };
    await expect(openWorkspace(directory, { env, create: true })).rejects.toMatchObject({
      message: expect.stringMatching(/is inside of/),
      exitCode: 2,
    });
  });

  it("is not created by reading (CL-30)", async () => {
    const { directory, env, read } = await makeProject(FILES);
    await expect(openWorkspace(directory, { env })).rejects.toThrow(/has no workspace yet/);
    await expect(openWorkspace(join(directory, "none"), { env })).rejects.toThrow(
      /Directory .* does not exist/,
    );
    expect(await read()).toEqual(FILES);
  });
});

describe("changes", () => {
  it("leave out what a mount excludes, and report it (CL-31)", async () => {
    const project = await makeProject({
      ...FILES,
      ".gitignore": "dist\n",
      "dist/out.js": "x",
      ".env": "KEY=1\n",
      ".git/config": "[core]\n",
    });
    await using workspace = await open(project);
    const names = (await workspace.filesystem.list()).map(({ name }) => name).sort();
    expect(names).toEqual([".gitignore", "README.md", "src"]);
    const { mounted } = await workspace.record();
    expect(mounted?.leftOut.map(({ path, reason }) => `${path} ${reason}`).sort()).toEqual([
      ".env secret",
      ".git git",
      "dist ignored",
    ]);
  });

  it("persist for the next process, can be applied and undone (CL-31, CL-32, CL-33)", async () => {
    const project = await makeProject(FILES);
    {
      await using workspace = await open(project);
      await workspace.filesystem.write("src/cart.ts", "one\n2\nthree\n");
      await workspace.filesystem.delete("README.md");
      await workspace.filesystem.write("docs/new.md", "new\n");
    }
    {
      await using workspace = await open(project);
      const changed = ["deleted README.md", "added docs/new.md", "modified src/cart.ts"];
      expect(await typesOf(workspace)).toEqual(changed);
      expect(await project.read()).toEqual(FILES);
      expect(await workspace.apply({ dryRun: true })).toMatchObject({
        written: ["docs/new.md", "src/cart.ts"],
        deleted: ["README.md"],
        undoToken: undefined,
      });
      expect(await project.read()).toEqual(FILES);
      await workspace.apply();
      expect(await typesOf(workspace)).toEqual([]);
    }
    expect(await project.read()).toEqual({
      "docs/new.md": "new\n",
      "src/cart.ts": "one\n2\nthree\n",
    });
    {
      await using workspace = await open(project);
      expect(await workspace.undo()).toMatchObject({ deleted: ["README.md"] });
      expect(await project.read()).toEqual(FILES);
      expect((await workspace.changes()).files).toHaveLength(3);
      await expect(workspace.undo()).rejects.toThrow(/Nothing to undo/);
    }
  });

  it("are applied one after the other and undone in reverse order (CL-33)", async () => {
    const project = await makeProject({ "a.txt": "0\n" });
    await using workspace = await open(project);
    for (const text of ["1\n", "2\n"]) {
      await workspace.filesystem.write("a.txt", text);
      await workspace.apply();
    }
    await workspace.undo();
    expect(await project.read()).toEqual({ "a.txt": "1\n" });
    await workspace.undo();
    expect(await project.read()).toEqual({ "a.txt": "0\n" });
    expect(await typesOf(workspace)).toEqual(["modified a.txt"]);
  });

  it("are refused by name if the directory has changed, and merged on request (CL-32)", async () => {
    const project = await makeProject(FILES);
    await using workspace = await open(project);
    await workspace.filesystem.write("src/cart.ts", "1\ntwo\nthree\n");
    await workspace.filesystem.write("other.txt", "o\n");
    await project.write("src/cart.ts", "one\ntwo\n3\n");
    const error = await workspace.apply().catch((thrown: unknown) => thrown);
    expect(isApplyConflictError(error) && error.conflicts).toEqual([
      { path: "src/cart.ts", reason: "changed" },
    ]);
    expect(await project.read()).toEqual({ ...FILES, "src/cart.ts": "one\ntwo\n3\n" });
    expect((await workspace.apply({ onConflict: "merge" })).merged).toEqual(["src/cart.ts"]);
    expect((await project.read())["src/cart.ts"]).toBe("1\ntwo\n3\n");
    // The merged lines from the directory are copied at the next opening.
    await workspace.refresh();
    expect((await workspace.filesystem.read("src/cart.ts")).content).toBe("1\ntwo\n3\n");
  });

  it("are not undone over later changes by another program (CL-33)", async () => {
    const project = await makeProject(FILES);
    await using workspace = await open(project);
    await workspace.filesystem.write("src/cart.ts", "mine\n");
    await workspace.apply();
    await project.write("src/cart.ts", "theirs\n");
    const error = await workspace.undo().catch((thrown: unknown) => thrown);
    expect(isApplyConflictError(error)).toBe(true);
    expect((await project.read())["src/cart.ts"]).toBe("theirs\n");
    await project.write("src/cart.ts", "mine\n");
    await workspace.undo();
    expect(await project.read()).toEqual(FILES);
  });

  it("keep only the snapshots that are needed (CL-33)", async () => {
    const project = await makeProject({ "a.txt": "0\n" });
    await using workspace = await open(project);
    await workspace.filesystem.snapshot({ name: "mine" });
    await workspace.filesystem.write("a.txt", "1\n");
    await workspace.apply();
    await workspace.apply();
    const { base, applied } = await workspace.record();
    expect(applied).toHaveLength(1);
    const ids = (await workspace.filesystem.snapshots()).filter(({ name }) => name !== "mine");
    expect(ids.map(({ snapshotId }) => snapshotId).sort()).toEqual(
      [base?.snapshotId, applied[0]?.base.snapshotId].sort(),
    );
  });
});

describe("changes of the directory by other programs", () => {
  it("are copied if the workspace has no changes, and otherwise wait (CL-34)", async () => {
    const project = await makeProject(FILES);
    await using workspace = await open(project);
    await project.write("README.md", "# Changed\n");
    await project.write("added.txt", "a\n");
    await using again = await open(project, { refresh: true });
    expect((await again.filesystem.read("README.md")).content).toBe("# Changed\n");
    expect(await again.filesystem.exists("added.txt")).toBe(true);
    expect(await typesOf(workspace)).toEqual([]);

    await project.write("README.md", "# Again\n");
    expect(await Promise.all([workspace.refresh(), workspace.refresh()])).toEqual([true, true]);
    expect((await workspace.filesystem.read("README.md")).content).toBe("# Again\n");

    await workspace.filesystem.write("mine.txt", "m\n");
    await project.write("README.md", "# Once more\n");
    await using third = await open(project, { refresh: true });
    expect((await third.filesystem.read("README.md")).content).toBe("# Again\n");
    expect(await third.filesystem.exists("mine.txt")).toBe(true);
  });
});

it("are copied for files that became directories, links or executable, or were deleted (CL-34)", async () => {
  const project = await makeProject({
    "file-to-folder": "f\n",
    "folder-to-file/a.txt": "a\n",
    "run.sh": "#!/bin/sh\n",
    "gone/deep/b.txt": "b\n",
    "same.txt": "s\n",
  });
  const { directory } = project;
  await using workspace = await open(project);
  const before = await workspace.filesystem.stat("same.txt");
  for (const path of ["file-to-folder", "folder-to-file", "gone"])
    await rm(join(directory, path), { recursive: true });
  await project.write("file-to-folder/inside.txt", "i\n");
  await project.write("folder-to-file", "now a file\n");
  await chmod(join(directory, "run.sh"), 0o755);
  expect(await workspace.refresh()).toBe(true);
  expect((await workspace.filesystem.glob("**")).map(({ path }) => path).sort()).toEqual([
    "file-to-folder/inside.txt",
    "folder-to-file",
    "run.sh",
    "same.txt",
  ]);
  expect((await workspace.filesystem.stat("run.sh")).mode & 0o111).not.toBe(0);
  // An unchanged file is still the same file.
  expect(await workspace.filesystem.stat("same.txt")).toEqual(before);
  expect((await workspace.changes()).isEmpty).toBe(true);
});

it("selectChanges selects the parts of a patch by path, and renames by either name (CL-31)", async () => {
  const project = await makeProject({ "a/old name.txt": "same\n", 'b/ü"q.txt': "1\n", c: "1\n" });
  await using workspace = await open(project);
  await workspace.filesystem.move("a/old name.txt", "b/new.txt");
  await workspace.filesystem.write('b/ü"q.txt', "2\n");
  await workspace.filesystem.write("c", "2\n");
  const { directory } = workspace;
  const select = async (...paths: readonly string[]) => {
    const cwd = join(directory, "a");
    const { files, patch } = await selectChanges(await workspace.changes(), {
      ...{ paths, cwd, directory },
    });
    expect(patch.match(/^diff --git /gm)?.length ?? 0).toBe(files.length);
    return files.map(({ path }) => path);
  };
  expect(await select()).toEqual(["b/new.txt", 'b/ü"q.txt', "c"]);
  expect(await select(".")).toEqual(["b/new.txt"]);
  expect(await select("../b")).toEqual(["b/new.txt", 'b/ü"q.txt']);
  expect(await select('../b/ü"q.txt', "../c")).toEqual(['b/ü"q.txt', "c"]);
  expect(await select("../nothing")).toEqual([]);
  await expect(select("../../elsewhere")).rejects.toThrow(/is outside of/);
});

it("transactions of two processes are serialised (CL-35)", async () => {
  const project = await makeProject({ "a.txt": "0\n" });
  await using first = await open(project);
  await using second = await open(project);
  const order: string[] = [];
  const transaction = await first.filesystem.begin();
  await first.filesystem.write("a.txt", "half\n");
  const applied = second.apply().then(({ written }) => order.push(`applied ${written}`));
  await first.filesystem.write("a.txt", "whole\n");
  order.push("committed");
  await transaction.commit();
  await applied;
  expect(order).toEqual(["committed", "applied a.txt"]);
  expect(await project.read()).toEqual({ "a.txt": "whole\n" });
});

it("a transaction that waits too long for the lock fails with a message for people and for models (CL-35)", async () => {
  const { directory, env } = await makeProject({});
  const { home, record } = await findPlace(directory, env);
  await mkdir(home, { recursive: true });
  const release = await new WorkspaceTurn(record).take();
  const impatient = new WorkspaceTurn(record, { waitMs: 0 });
  await expect(impatient.run(async () => {})).rejects.toMatchObject({ exitCode: 3 });
  const filesystem = takeTurns(new InMemoryFilesystem(), impatient);
  await expect(filesystem.begin()).rejects.toMatchObject({
    code: "BUSY",
    message: "snapshot store: another process is using these files; try again later.",
  });
  await release();
  await (await filesystem.begin()).commit();
});

import { chmod, rm } from "node:fs/promises";
import { join } from "node:path";
import { ProcessLock } from "@wink/filesystem/host";
import { expect, it } from "vitest";
import { makeProject } from "./workspace.test.support.js";

it("an apply waits for the transaction of another process (WS-3)", async () => {
  const project = await makeProject({ "a.txt": "0\n" });
  const first = await project.open();
  const second = await project.open();
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

it("a call that waits too long fails with a message for people and for models (WS-3)", async () => {
  const project = await makeProject({ "a.txt": "0\n" });
  const workspace = await project.open({ waitMs: 0 });
  await workspace.changes();
  const other = new ProcessLock(join(workspace.stateDirectory, "lock"));
  expect(other.tryAcquire()).toBe(true);
  await expect(workspace.apply()).rejects.toMatchObject({
    code: "BUSY",
    message: expect.stringContaining("another process is using it"),
  });
  await expect(workspace.filesystem.begin()).rejects.toMatchObject({
    code: "BUSY",
    message: "snapshot store: another process is using these files; try again later.",
  });
  other.release();
  await (await workspace.filesystem.begin()).commit();
});

it("an undo does nothing if another apply followed the one that was confirmed (WS-7)", async () => {
  const project = await makeProject({});
  const workspace = await project.open();
  await workspace.filesystem.write("a.txt", "a\n");
  const { undoToken } = await workspace.apply();
  await workspace.filesystem.write("b.txt", "b\n");
  await workspace.apply();
  await expect(workspace.undo({ undoToken })).rejects.toMatchObject({ code: "BUSY" });
  expect(await project.read()).toEqual({ "a.txt": "a\n", "b.txt": "b\n" });
});

it("an undo never overwrites a later save of another program (WS-2, WS-7)", async () => {
  const project = await makeProject({ "a.txt": "0\n" });
  const workspace = await project.open();
  await workspace.filesystem.write("a.txt", "mine\n");
  await workspace.apply();
  await project.write("a.txt", "theirs\n");
  await expect(workspace.undo()).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await project.read()).toEqual({ "a.txt": "theirs\n" });
  await project.write("a.txt", "mine\n");
  await workspace.undo();
  expect(await project.read()).toEqual({ "a.txt": "0\n" });
});

it("refresh follows files that became directories or executable, or were deleted (WS-4)", async () => {
  const project = await makeProject({
    "file-to-folder": "f\n",
    "folder-to-file/a.txt": "a\n",
    "run.sh": "#!/bin/sh\n",
    "gone/deep/b.txt": "b\n",
    "same.txt": "s\n",
  });
  const { directory } = project;
  const workspace = await project.open();
  const before = await workspace.filesystem.stat("same.txt");
  for (const path of ["file-to-folder", "folder-to-file", "gone"])
    await rm(join(directory, path), { recursive: true });
  await project.write("file-to-folder/inside.txt", "i\n");
  await project.write("folder-to-file", "now a file\n");
  await chmod(join(directory, "run.sh"), 0o755);
  const { updated, conflicts } = await workspace.refresh();
  expect([updated.length > 0, conflicts]).toEqual([true, []]);
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

it("changes selects renames by either name (WS-5)", async () => {
  const project = await makeProject({
    "a/old name.txt": "same\n",
    'b/\u00fc"q.txt': "1\n",
    c: "1\n",
  });
  const workspace = await project.open();
  await workspace.filesystem.move("a/old name.txt", "b/new.txt");
  await workspace.filesystem.write('b/\u00fc"q.txt', "2\n");
  await workspace.filesystem.write("c", "2\n");
  const select = async (...given: readonly string[]) => {
    const from = join(project.directory, "a");
    const paths = given.map((path) => workspace.pathOf(path, from));
    const changes = await workspace.changes({ paths });
    const patch = await changes.toPatch();
    expect(patch.match(/^diff --git /gm)?.length ?? 0).toBe(changes.files.length);
    return changes.files.map(({ path }) => path);
  };
  expect(await select(".")).toEqual(["b/new.txt"]);
  expect(await select("../b")).toEqual(["b/new.txt", 'b/\u00fc"q.txt']);
  expect(await select('../b/\u00fc"q.txt', "../c")).toEqual(['b/\u00fc"q.txt', "c"]);
  await expect(select("../nothing")).rejects.toMatchObject({ code: "UNKNOWN_PATH" });
  await expect(select("../../elsewhere")).rejects.toMatchObject({ code: "INVALID_OPTION" });
});

it("a run that made or changed a link is merged or kept as a line, with the link (WS-10)", async () => {
  const project = await makeProject({ "a.txt": "a\n" });
  const workspace = await project.open();
  await using first = await workspace.startRun();
  await using second = await workspace.startRun();
  await second.workspace.filesystem.symlink("a.txt", "link");
  expect((await second.finish()).kind).toBe("merged");
  const { kind } = await first.workspace.filesystem.stat("link", { followLinks: false });
  expect(kind).toBe("symlink");
  await using third = await workspace.startRun();
  await third.workspace.filesystem.symlink("other.txt", "link");
  const outcome = await third.finish();
  expect(outcome.conflicts).toEqual([{ path: "link", reason: "link" }]);
  expect(workspace.lines.list()).toEqual([outcome.line]);
});

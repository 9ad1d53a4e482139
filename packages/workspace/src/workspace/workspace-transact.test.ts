import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { makeProject } from "./workspace.test.support.js";

const FILES = { "a.txt": "a\n", "b.txt": "b\n" };

it("transact with full lists what a shell changed (WS-15)", async () => {
  const project = await makeProject(FILES);
  const workspace = await project.open();
  const { filesystem } = workspace;
  await filesystem.transact(() => writeFile(join(filesystem.root, "a.txt"), "shell\n"), {
    full: true,
  });
  expect((await workspace.changes()).files).toMatchObject([{ type: "modified", path: "a.txt" }]);
  await workspace.apply();
  expect(await project.read()).toEqual({ ...FILES, "a.txt": "shell\n" });
});

it("an apply of another process waits for the end of a transact (WS-3)", async () => {
  const project = await makeProject(FILES);
  const workspace = await project.open();
  const other = await project.open();
  let applied: Promise<unknown> = Promise.resolve();
  let hasEnded = false;
  await workspace.filesystem.transact(async (files) => {
    await files.write("a.txt", "A\n");
    applied = other.apply().then(() => expect(hasEnded).toBe(true));
    await files.write("b.txt", "B\n");
    expect(await project.read()).toEqual(FILES);
    hasEnded = true;
  });
  await applied;
  expect(await project.read()).toEqual({ "a.txt": "A\n", "b.txt": "B\n" });
});

it("transact in place writes to the directory what it commits, once for all inner ones (WS-12)", async () => {
  const project = await makeProject(FILES);
  const workspace = await project.open({ inPlace: true });
  const { filesystem } = workspace;
  const change = (path: string, content: string) =>
    filesystem.transact(async (files) => {
      await files.write(path, content);
      await files.transact((inner) => inner.write("inner.txt", content));
      expect((await project.read())[path]).not.toBe(content);
    });
  await Promise.all([change("a.txt", "A\n"), change("b.txt", "B\n")]);
  const done = { "a.txt": "A\n", "b.txt": "B\n", "inner.txt": "B\n" };
  expect(await project.read()).toEqual(done);
  const failing = filesystem.transact(async (files) => {
    await files.write("a.txt", "never");
    throw new Error("rolled back");
  });
  await expect(failing).rejects.toThrow("rolled back");
  expect(await project.read()).toEqual(done);
  await project.write("a.txt", "of the user\n");
  await expect(filesystem.transact((files) => files.write("a.txt", "agent"))).rejects.toMatchObject(
    { code: "ESTALE", path: "a.txt" },
  );
  expect((await filesystem.read("a.txt")).content).toBe("A\n");
  expect(await project.read()).toEqual({ ...done, "a.txt": "of the user\n" });
});

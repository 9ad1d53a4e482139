import { execFileSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { Workspace } from "./workspace.js";
import { makeProject } from "./workspace.test.support.js";

const FILES = { "src/a.ts": "one\ntwo\nthree\n", "src/b.ts": "b\n", "README.md": "# hi\n" };

it("a workspace keeps an agent's changes across openings, and apply writes them (WS-1, WS-2)", async () => {
  const project = await makeProject(FILES);
  {
    await using first = await project.open();
    await first.filesystem.write("src/a.ts", "one\n2\nthree\n", { mode: "overwrite" });
    await first.filesystem.delete("src/b.ts");
    await first.filesystem.write("new/deep/c.ts", "c\n", { createParents: true });
  }
  expect(await project.read()).toEqual(FILES);
  await using second = await project.open();
  const { files } = await second.changes();
  expect(files.map(({ type, path }) => `${type} ${path}`)).toEqual([
    "added new/deep/c.ts",
    "modified src/a.ts",
    "deleted src/b.ts",
  ]);
  const report = await second.apply();
  expect(report.written).toEqual(["new/deep/c.ts", "src/a.ts"]);
  const applied = { "README.md": "# hi\n", "new/deep/c.ts": "c\n", "src/a.ts": "one\n2\nthree\n" };
  expect(await project.read()).toEqual(applied);
  expect((await second.changes()).isEmpty).toBe(true);
  await second.undo();
  expect(await project.read()).toEqual(FILES);
  expect((await second.changes()).files).toEqual(files);
});

it("a workspace refuses a store and names what to use instead (WS-1)", async () => {
  const opened = Workspace.open("directory", { store: {} } as never);
  await expect(opened).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message: expect.stringContaining("pass its changes to workspace.keep(changes)"),
  });
});

it("a workspace without changes refuses calls after it was closed (WS-1)", async () => {
  const project = await makeProject(FILES);
  const workspace = await project.open();
  await workspace.close();
  for (const call of [
    () => workspace.changes(),
    () => workspace.apply(),
    () => workspace.refresh(),
    () => workspace.undo(),
  ])
    await expect(call()).rejects.toMatchObject({ code: "EBADF" });
  await workspace.close();
});

it("stored results of tools are neither changes nor applied (WS-1, MD-24)", async () => {
  const project = await makeProject(FILES);
  await using workspace = await project.open();
  const options = { createParents: true };
  await workspace.filesystem.write(".wink/results/call-1.txt", "long\n", options);
  await workspace.filesystem.write(".wink/other.txt", "a file\n", options);
  expect((await workspace.changes()).files.map(({ path }) => path)).toEqual([".wink/other.txt"]);
  await workspace.apply();
  expect(await project.read()).toEqual({ ...FILES, ".wink/other.txt": "a file\n" });
});

it("apply writes the selected paths and keeps the others (WS-5)", async () => {
  const project = await makeProject(FILES);
  const workspace = await project.open();
  await workspace.filesystem.write("src/a.ts", "A\n", { mode: "overwrite" });
  await workspace.filesystem.write("README.md", "# bye\n", { mode: "overwrite" });
  await workspace.filesystem.write("test/x.test.ts", "x\n", { createParents: true });
  await workspace.apply({ paths: ["src", "test/**"] });
  expect(await project.read()).toEqual({ ...FILES, "src/a.ts": "A\n", "test/x.test.ts": "x\n" });
  expect((await workspace.changes()).files.map(({ path }) => path)).toEqual(["README.md"]);
  await expect(workspace.apply({ paths: ["typo.ts"] })).rejects.toMatchObject({
    code: "UNKNOWN_PATH",
    message: expect.stringContaining("typo.ts"),
  });
});

it("apply writes the selected hunks and keeps the others (WS-6)", async () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const project = await makeProject({ "a.txt": `${lines.join("\n")}\n` });
  const workspace = await project.open();
  const edited = lines.with(2, "first").with(20, "second").with(39, "third");
  await workspace.filesystem.write("a.txt", edited.join("\n"), { mode: "overwrite" });
  const [{ hunks } = { hunks: [] }] = await workspace.diff();
  expect(hunks.length).toBe(3);
  await workspace.apply({ hunks: [hunks[1]?.id ?? "", hunks[2]?.id ?? ""] });
  expect((await project.read())["a.txt"]).toBe(edited.with(2, "line 2").join("\n"));
  const [{ hunks: rest } = { hunks: [] }] = await workspace.diff();
  expect(rest.map(({ text }) => text.includes("+first"))).toEqual([true]);
  await expect(workspace.apply({ hunks: [hunks[1]?.id ?? ""] })).rejects.toMatchObject({
    code: "UNKNOWN_HUNK",
  });
  await workspace.apply({ hunks: [rest[0]?.id ?? ""] });
  expect((await project.read())["a.txt"]).toBe(edited.join("\n"));
  expect((await workspace.changes()).isEmpty).toBe(true);
});

it("a part of an apply can be undone, and the rest later (WS-7)", async () => {
  const project = await makeProject(FILES);
  const workspace = await project.open();
  await workspace.filesystem.write("src/a.ts", "A\n", { mode: "overwrite" });
  await workspace.filesystem.write("x/y.ts", "y\n", { createParents: true });
  await workspace.filesystem.delete("README.md");
  await workspace.apply();
  const undone = await workspace.undo({ paths: ["x", "README.md"] });
  expect([undone.written, undone.deleted]).toEqual([["x/y.ts"], ["README.md"]]);
  expect(await project.read()).toEqual({ ...FILES, "src/a.ts": "A\n" });
  expect((await workspace.changes()).files.map(({ path }) => path)).toEqual([
    "README.md",
    "x/y.ts",
  ]);
  await workspace.undo();
  expect(await project.read()).toEqual(FILES);
  expect((await workspace.changes()).files.length).toBe(3);
});

it("refresh merges changes of the directory and keeps those of agents (WS-4)", async () => {
  const project = await makeProject({ ...FILES, "gone.txt": "x\n", "both.txt": "1\n" });
  const workspace = await project.open();
  await workspace.filesystem.write("src/a.ts", "one\ntwo\nTHREE\n", { mode: "overwrite" });
  await workspace.filesystem.write("both.txt", "agent\n", { mode: "overwrite" });
  await project.write("src/a.ts", "ONE\ntwo\nthree\n");
  await project.write("both.txt", "person\n");
  await project.write("added/new.txt", "new\n");
  rmSync(join(project.directory, "gone.txt"));
  const report = await workspace.refresh();
  expect(report).toEqual({
    updated: ["added/new.txt", "gone.txt"],
    merged: ["src/a.ts"],
    conflicts: [{ path: "both.txt", reason: "changed" }],
  });
  expect((await workspace.filesystem.read("src/a.ts")).content).toBe("ONE\ntwo\nTHREE\n");
  expect((await workspace.filesystem.read("both.txt")).content).toBe("agent\n");
  expect(await workspace.filesystem.exists("gone.txt")).toBe(false);
  expect((await workspace.changes()).files.map(({ path }) => path)).toEqual([
    "both.txt",
    "src/a.ts",
  ]);
  await expect(workspace.apply()).rejects.toMatchObject({ code: "CONFLICT" });
  await workspace.apply({ paths: ["src"] });
  expect((await project.read())["src/a.ts"]).toBe("ONE\ntwo\nTHREE\n");
  expect((await project.read())["both.txt"]).toBe("person\n");
});

it("changes that git reverted after an apply can be applied again (WS-8)", async () => {
  const project = await makeProject(FILES);
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd: project.directory,
    });
  git("init", "-q");
  git("add", ".");
  git("commit", "-qm", "x");
  const workspace = await project.open();
  await workspace.filesystem.write("src/a.ts", "A\n", { mode: "overwrite" });
  await workspace.filesystem.delete("src/b.ts");
  await workspace.apply();
  git("checkout", ".");
  expect(await project.read()).toEqual(FILES);
  const { files } = await workspace.changes();
  expect(files.map(({ path }) => path)).toEqual(["src/a.ts", "src/b.ts"]);
  await workspace.apply();
  expect(await project.read()).toEqual({ "README.md": "# hi\n", "src/a.ts": "A\n" });
  git("checkout", ".");
  expect((await workspace.refresh()).updated).toEqual([]);
  expect((await workspace.changes()).files).toEqual(files);
});

it("discard reverts the selected paths and keeps a snapshot (WS-9)", async () => {
  const project = await makeProject(FILES);
  const workspace = await project.open();
  await workspace.filesystem.write("src/a.ts", "A\n", { mode: "overwrite" });
  await workspace.filesystem.write("n/e/w.ts", "w\n", { createParents: true });
  await workspace.discard({ paths: ["n"], keepAs: "before-discard" });
  expect((await workspace.changes()).files.map(({ path }) => path)).toEqual(["src/a.ts"]);
  expect(await workspace.filesystem.exists("n")).toBe(false);
  expect((await workspace.snapshots()).map(({ name }) => name)).toEqual(["before-discard"]);
});

it("a second run works on its own copy, which is merged or kept as a line (WS-10)", async () => {
  const project = await makeProject(FILES);
  const workspace = await project.open();
  const other = await project.open();
  await using first = await workspace.startRun();
  await using second = await other.startRun();
  expect([first.line === undefined, second.line === undefined]).toEqual([true, false]);
  await first.workspace.filesystem.write("src/a.ts", "one\ntwo\nfirst\n", { mode: "overwrite" });
  await second.workspace.filesystem.write("src/a.ts", "second\ntwo\nthree\n", {
    mode: "overwrite",
  });
  expect(await second.finish()).toEqual({ kind: "merged", conflicts: [] });
  expect((await first.changes()).files.map(({ path }) => path)).toEqual(["src/a.ts"]);
  expect(workspace.lines.list()).toEqual([]);
  await using third = await other.startRun();
  await third.workspace.filesystem.write("src/a.ts", "third\n", { mode: "overwrite" });
  const outcome = await third.finish();
  expect(outcome).toEqual({
    kind: "line",
    line: third.line,
    conflicts: [{ path: "src/a.ts", reason: "changed" }],
  });
  expect(await first.finish()).toEqual({ kind: "workspace", conflicts: [] });
  expect((await workspace.filesystem.read("src/a.ts")).content).toBe("second\ntwo\nfirst\n");
  expect(workspace.lines.list()).toEqual([third.line]);
  await using line = await workspace.lines.open(third.line ?? "");
  expect((await line.filesystem.read("src/a.ts")).content).toBe("third\n");
  expect((await line.changes()).files.map(({ path }) => path)).toEqual(["src/a.ts"]);
});

it("with follow, a call sees what a person just changed (WS-11)", async () => {
  const project = await makeProject(FILES);
  const workspace = await project.open({ follow: true });
  const { filesystem } = workspace;
  expect((await filesystem.read("src/b.ts")).content).toBe("b\n");
  await project.write("src/b.ts", "person\n");
  expect((await filesystem.read("src/b.ts")).content).toBe("person\n");
  await project.write("src/new/x.ts", "x\n");
  expect((await filesystem.list("src")).map(({ name }) => name)).toEqual(["a.ts", "b.ts", "new"]);
  await project.write("lib/deep/z.ts", "find me\n");
  expect((await filesystem.grep("find me")).map(({ path }) => path)).toEqual(["lib/deep/z.ts"]);
  rmSync(join(project.directory, "src/a.ts"));
  expect(await filesystem.exists("src/a.ts")).toBe(false);
  expect((await workspace.changes()).isEmpty).toBe(true);
});

it("in place, each transaction is written to the directory, and undo undoes it (WS-12)", async () => {
  const project = await makeProject(FILES);
  const workspace = await project.open({ inPlace: true });
  {
    await using transaction = await workspace.filesystem.begin();
    await workspace.filesystem.write("src/b.ts", "B\n", { mode: "overwrite" });
    await transaction.commit();
  }
  expect(await project.read()).toEqual({ ...FILES, "src/b.ts": "B\n" });
  await workspace.undo();
  expect(await project.read()).toEqual(FILES);
});

it("the filter decides what is copied, can change later, and never deletes files (WS-13)", async () => {
  const project = await makeProject({ ...FILES, ".env": "TOKEN=x\n", "out.log": "log\n" });
  await project.write(".gitignore", "*.log\n");
  {
    await using first = await project.open();
    const left = first.leftOut().map(({ path, reason }) => `${path} ${reason}`);
    expect(left).toEqual([".env secret", "out.log ignored"]);
  }
  await using second = await project.open({
    includeSecrets: true,
    includeIgnored: true,
    exclude: ["README.md"],
  });
  expect(await second.filesystem.exists(".env")).toBe(true);
  expect(await second.filesystem.exists("out.log")).toBe(true);
  expect(await second.filesystem.exists("README.md")).toBe(false);
  expect((await second.changes()).isEmpty).toBe(true);
  await second.apply();
  expect((await project.read())["README.md"]).toBe("# hi\n");
});

it("names that are not UTF-8 and long paths are copied, compared and applied (WS-14)", async () => {
  const project = await makeProject(FILES);
  const latin = Buffer.concat([
    Buffer.from(`${project.directory}/lat`),
    Buffer.from([0xe9]),
    Buffer.from("n.txt"),
  ]);
  writeFileSync(latin, "x\n");
  const deep = `${"d/".repeat(40)}${"n".repeat(200)}.txt`;
  await project.write(deep, "deep\n");
  symlinkSync("README.md", join(project.directory, "link"));
  mkdirSync(join(project.directory, "empty"));
  const workspace = await project.open();
  const name =
    (await workspace.filesystem.list(".")).find(({ name: each }) => each.startsWith("lat"))?.path ??
    "";
  await workspace.filesystem.write(name, "changed\n", { mode: "overwrite" });
  await workspace.filesystem.write(deep, "changed\n", { mode: "overwrite" });
  expect((await workspace.changes()).files.length).toBe(2);
  await workspace.apply();
  expect(execFileSync("cat", [join(project.directory, deep)]).toString()).toBe("changed\n");
  expect(execFileSync("sh", ["-c", "cat lat*"], { cwd: project.directory }).toString()).toBe(
    "changed\n",
  );
  expect((await workspace.refresh()).updated).toEqual([]);
  await workspace.undo();
  expect(execFileSync("sh", ["-c", "cat lat*"], { cwd: project.directory }).toString()).toBe("x\n");
});

it("a workspace that does not exist is an error without create (WS-1)", async () => {
  const project = await makeProject(FILES);
  await expect(project.open({ create: false })).rejects.toMatchObject({ code: "NO_WORKSPACE" });
  const { stateDirectory } = project;
  expect(Workspace.find(project.directory, { stateDirectory }).exists).toBe(false);
});

it("the filter must be arrays of globs (WS-13)", async () => {
  const project = await makeProject(FILES);
  // @ts-expect-error: a caller in JavaScript
  await expect(project.open({ include: "src" })).rejects.toMatchObject({
    code: "INVALID_OPTION",
    message: "Workspace: option 'include' must be an array of strings, got a string.",
  });
  const workspace = await project.open();
  // @ts-expect-error: a caller in JavaScript
  await expect(workspace.refresh({ filter: { exclude: "src" } })).rejects.toMatchObject({
    code: "INVALID_OPTION",
  });
});

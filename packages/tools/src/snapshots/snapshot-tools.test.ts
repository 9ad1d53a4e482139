import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Filesystem, InMemoryFilesystem, wrapFilesystem } from "@wink/filesystem";
import { missingFilesystem } from "@wink/prompt/adapter";
import { createToolContext } from "@wink/prompt/testing";
import { describe, expect, it, onTestFinished } from "vitest";
import { replayFiles } from "../files/replay-files.js";
import { vfsFiles } from "../files/virtual-file-system.js";
import {
  type Backend,
  contentsOf,
  openBackend,
  openWorkspace,
} from "../files/workspace.test.support.js";
import { Plan, SetupPlan } from "../planning/plan.js";
import { callTool } from "../reply/call-tool.test.support.js";
import type { SnapshotToolsSectionOptions } from "./snapshot-settings.js";
import { snapshotHandlers } from "./snapshot-tools.js";
import { SnapshotToolsSection } from "./snapshot-tools-section.js";

const FILES = { "a.txt": "v1\n", "d/b.txt": "b\n" };

async function open(
  options: SnapshotToolsSectionOptions = {},
  filesystem: Filesystem = new InMemoryFilesystem({ files: FILES }),
) {
  const workspace = await openWorkspace({}, { filesystem });
  const section = new SnapshotToolsSection(options);
  const ask = async (name: string, input: unknown) =>
    (
      await callTool(
        section.tools.find((tool) => tool.name === `snapshot_${name}`),
        input,
        workspace.context,
      )
    ).text;
  return { ...workspace, edit: workspace.ask, ask };
}

const BACKENDS: readonly Backend[] = ["memory", "host", "driver"];

describe.each(BACKENDS)("on %s", (backend) => {
  it("the snapshot tools create, list, compare and restore with exact answers (TL-30)", async () => {
    const { ask, edit, filesystem } = await open({}, await openBackend(backend, FILES));
    expect(await ask("list", {})).toBe("no snapshots");
    expect(await ask("create", { name: "s1", description: "before\trefactor" })).toMatch(
      /^snapshot s1 created: [\w:.-]+$/,
    );
    expect(await ask("list", {})).toMatch(
      /^s1\t[\w:.-]{1,12}\t\d{4}-\d\d-\d\dT[\d:.]+Z\tbefore\\trefactor$/,
    );
    expect(await ask("diff", { name: "s1" })).toBe("no differences");

    await edit("write_file", { path: "a.txt", content: "v2\n", mode: "overwrite" });
    await edit("write_file", { path: "new.txt", content: "n\n" });
    await edit("rm", { path: "d" });
    const diff = await ask("diff", { name: "s1" });
    expect(diff).toContain("@@ -1 +1 @@\n-v1\n+v2\n");
    expect(diff).toMatch(/^diff --git a\/a\.txt b\/a\.txt\n/);
    expect(await ask("restore", { name: "s1" })).toBe(
      "restored snapshot s1 (3 file(s) changed):\na.txt\nd/b.txt\nnew.txt",
    );
    expect(await contentsOf(filesystem)).toEqual({ "a.txt": "v1\n", "d/b.txt": "b\n" });
    expect(await ask("restore", { name: "s1" })).toBe("restored snapshot s1 (0 file(s) changed)");
  });
});

it.each(["", ".secret", "foo/bar", "a b", "-x", "a\tb", "../x", "é", "x".repeat(101), "a\0"])(
  "snapshot_create refuses the name %j (TL-31)",
  async (name) => {
    const { ask } = await open();
    const hint =
      'A name begins with a letter, a digit or "_". The rest may also contain "." and "-". It has at most 100 characters.';
    expect(await ask("create", { name })).toMatch(/^'.*' is not a valid snapshot name\.\n/);
    for (const tool of ["create", "restore", "diff"])
      expect((await ask(tool, { name })).split("\n")[1]).toBe(hint);
    expect(await ask("list", {})).toBe("no snapshots");
  },
);

it("snapshot_create accepts a name of 100 characters, and answers if the store refuses a name (TL-31)", async () => {
  const { ask } = await open();
  expect(await ask("create", { name: "x".repeat(100) })).toMatch(/^snapshot x+ created/);
  expect(await ask("create", { name: "a..b" })).toMatch(
    /^Snapshot name 'a\.\.b': it must start with/,
  );
});

it("an unknown name is answered with the existing names and changes nothing (TL-31)", async () => {
  const { ask, filesystem } = await open();
  expect(await ask("restore", { name: "s9" })).toBe("Unknown snapshot 's9'.\nNo snapshots exist.");
  await ask("create", { name: "s1" });
  await filesystem.write("a.txt", "changed");
  expect(await ask("restore", { name: "s9" })).toBe("Unknown snapshot 's9'.\nSnapshots: s1.");
  expect((await filesystem.read("a.txt")).content).toBe("changed");
});

it("maxCount deletes the oldest snapshots first and names them (TL-32)", async () => {
  const { ask } = await open({ retention: { maxCount: 2 } });
  await ask("create", { name: "s1" });
  await ask("create", { name: "s2" });
  expect(await ask("create", { name: "s3" })).toMatch(/\ndeleted old snapshots: s1$/);
  expect(await ask("restore", { name: "s1" })).toBe("Unknown snapshot 's1'.\nSnapshots: s3, s2.");
});

it("maxAgeMs and maxBytes delete snapshots, but never the newest (TL-32)", async () => {
  const old = await open({ retention: { maxAgeMs: -1 } });
  await old.ask("create", { name: "s1" });
  expect(await old.ask("create", { name: "s2" })).toMatch(/deleted old snapshots: s1$/);
  const small = await open({ retention: { maxBytes: 10 } });
  await small.ask("create", { name: "s1" });
  await small.filesystem.write("big", "x".repeat(100));
  expect(await small.ask("create", { name: "s2" })).toMatch(/deleted old snapshots: s1$/);
  expect(await small.ask("list", {})).toMatch(/^s2\t[^\n]+$/);
});

it("restore_session restores the session together with the files (TL-33)", async () => {
  const { ask, edit, session, filesystem } = await open();
  session.dispatch(SetupPlan({ objective: "first", steps: [] }));
  await ask("create", { name: "s1" });
  session.dispatch(SetupPlan({ objective: "second", steps: [] }));
  await edit("write_file", { path: "a.txt", content: "v2", mode: "overwrite" });
  await ask("restore", { name: "s1" });
  expect(session.state(Plan).objective).toBe("second");
  await edit("write_file", { path: "a.txt", content: "v3", mode: "overwrite" });
  await ask("restore", { name: "s1", restore_session: true });
  expect(session.state(Plan).objective).toBe("first");
  expect(vfsFiles(session).find((file) => file.path === "a.txt")?.version).toBe(0);
  expect((await filesystem.read("a.txt")).content).toBe("v1\n");
});

it("restore_session restores nothing if the session cannot be restored (TL-33)", async () => {
  const { ask, session, filesystem } = await open();
  const { Session } = await import("@wink/session");
  await ask("create", { name: "s1" });
  await filesystem.write("a.txt", "v2");
  using _ = new Session({ parent: session }).hold();
  expect(await ask("restore", { name: "s1", restore_session: true })).toBe(
    "The session cannot be restored now, so nothing was restored.\nOther work is using the session. Try again, or restore only the files.",
  );
  expect((await filesystem.read("a.txt")).content).toBe("v2");
});

it("restore_session reports if the session of a snapshot was not saved (TL-33)", async () => {
  const filesystem = new InMemoryFilesystem({ files: FILES });
  await filesystem.snapshot({ name: "elsewhere" });
  const { ask } = await open({}, filesystem);
  expect(await ask("restore", { name: "elsewhere", restore_session: true })).toBe(
    "The session state of snapshot 'elsewhere' was not saved.\nRestore only the files, without restore_session.",
  );
});

it("replayFiles reproduces the files of a run with restores (TL-8)", async () => {
  const { ask, edit, session, filesystem } = await open();
  await edit("write_file", { path: "x.txt", content: "1" });
  await ask("create", { name: "s1" });
  await edit("move", { source: "a.txt", destination: "moved.txt" });
  await edit("write_file", { path: "x.txt", content: "2", mode: "append" });
  await ask("restore", { name: "s1" });
  await edit("write_file", { path: "y.txt", content: "3" });
  const replayed = new InMemoryFilesystem({ files: FILES });
  await replayFiles(session.events, replayed);
  expect(await contentsOf(replayed)).toEqual(await contentsOf(filesystem));
  expect(
    vfsFiles(session)
      .map((file) => [file.path, file.sizeBytes])
      .sort(),
  ).toEqual([
    ["a.txt", 3],
    ["d/b.txt", 2],
    ["x.txt", 1],
    ["y.txt", 1],
  ]);
});

it("snapshot_diff shows a large diff in pages (TL-4)", async () => {
  const { ask, filesystem } = await open();
  await ask("create", { name: "s1" });
  await filesystem.write(
    "big.txt",
    Array.from({ length: 20_000 }, (_, index) => `line ${index}\n`).join(""),
  );
  const first = await ask("diff", { name: "s1" });
  expect(first).toMatch(
    /^Lines 1 to [\d,]+ of 20,0\d\d from snapshot s1 to now\. Continue with offset \d+\.\n/,
  );
  expect(await ask("diff", { name: "s1", offset: 20_000 })).toMatch(/\+line 19999$/);
});

it.each(["create", "list", "restore", "diff"])(
  "snapshot_%s answers without files, without snapshots and to every kind of invalid arguments (TL-2)",
  async (name) => {
    const input = name === "list" ? {} : { name: "s1" };
    const plain = wrapFilesystem(new InMemoryFilesystem(), (_, run) => run());
    Object.defineProperty(plain, "begin", { value: undefined });
    for (const filesystem of [missingFilesystem, plain]) {
      const tool = new SnapshotToolsSection().tools.find((each) => each.name.endsWith(name));
      expect((await callTool(tool, input, createToolContext({ filesystem }))).text).toBe(
        "These files do not support snapshots.",
      );
    }
    const { ask } = await open();
    for (const wrong of [null, 5, [], { name: 5 }]) expect(await ask(name, wrong)).toMatch(/./);
  },
);

it("snapshotHandlers take parsed input, and save no state of the session (TL-2, TL-33)", async () => {
  const { create, list, diff, restore } = snapshotHandlers;
  const filesystem = new InMemoryFilesystem({ files: FILES });
  const context = createToolContext({ filesystem });
  expect(await create({ name: "s1", description: "first" }, context)).toMatchObject({
    value: { name: "s1", removed: [] },
  });
  await filesystem.write("a.txt", "v2\n");
  expect(await list({ offset: 0 }, context)).toMatchObject({ value: { total: 1 } });
  expect(await diff({ name: "s1", offset: 0 }, context)).toMatchObject({ success: true });
  expect(await restore({ name: "s1", restore_session: true }, context)).toMatchObject({
    message: "The session state of snapshot 's1' was not saved.",
  });
  expect(await restore({ name: "s1", restore_session: false }, context)).toMatchObject({
    value: { name: "s1", changed: ["a.txt"] },
  });
});

it("with a repository, the four tools use commits under refs/sandbox/snapshots, and branches stay as they are (TL-33, SN-35)", async () => {
  const directory = mkdtempSync(join(tmpdir(), "wink-repository-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const git = (...args: readonly string[]) =>
    execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@b", ...args], {
      cwd: directory,
      encoding: "utf8",
    }).trim();
  git("init", "-q", "-b", "main");
  git("commit", "-q", "--allow-empty", "-m", "first");
  const before = git("for-each-ref");

  const filesystem = new InMemoryFilesystem({ files: FILES });
  const context = createToolContext({ filesystem });
  const section = new SnapshotToolsSection({ repository: directory });
  const ask = async (name: string, input: unknown) => {
    const tool = section.tools.find((each) => each.name === `snapshot_${name}`);
    return (await callTool(tool, input, context)).text;
  };
  expect(await ask("create", { name: "s1", description: "before refactor" })).toBe(
    `snapshot s1 created: ${git("rev-parse", "refs/sandbox/snapshots/s1")}`,
  );
  expect(await ask("list", {})).toMatch(/^s1\t[0-9a-f]{12}\t.*\tbefore refactor$/m);
  await filesystem.write("a.txt", "changed\n");
  expect(await ask("diff", { name: "s1" })).toContain("+changed");
  expect(await ask("restore", { name: "s1" })).toMatch(/^restored snapshot s1 \(1 file/);
  expect((await filesystem.read("a.txt")).content).toBe(FILES["a.txt"]);
  expect(git("for-each-ref", "refs/heads", "refs/tags")).toBe(before);
  git("fsck", "--strict");
});

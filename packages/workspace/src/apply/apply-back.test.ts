import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { type Filesystem, InMemoryFilesystem } from "@wink/filesystem";
import { describe, expect, it } from "vitest";
import { contentsOf, makeHost, mountTree } from "../mount/mount-fixture.test.support.js";
import { readTree, writeTree } from "../mount/tree-fixture.test.support.js";
import { mountHost } from "../workspace/mount-host.js";

const all = (root: string) => readTree(root, { directories: true });

describe("apply", () => {
  it("never writes into a .git of the host, whatever the spelling of its name (SN-22, H221)", async () => {
    const host = makeHost({ "a.txt": "1", ".git/config": "[core]\n", "sub/x": "x" });
    const before = readTree(join(host.root, ".git"));
    // Written directly to the disk, as a shell does, so no filesystem check runs.
    const filesystem = new InMemoryFilesystem({ allowGit: true });
    const workspace = await mountHost(filesystem, [{ hostPath: "." }], host.options);
    const planted = [
      ".git/config",
      ".git/hooks/post-checkout",
      ".GIT/hooks/post-commit",
      ".gi\u200ct/config",
      "git~1/config",
      "sub/.git/hooks/pre-commit",
      "sub/.Git",
    ];
    for (const path of planted) await filesystem.write(path, "#!/bin/sh\n");
    await filesystem.mkdir("new/.git/objects");
    await filesystem.write("a.txt", "2");
    await filesystem.move("sub/x", ".git/x");

    const changes = workspace.changes();
    const named = (await changes.files()).map(({ type, path }) => `${type} ${path}`);
    expect(named).toEqual(["modified a.txt", "deleted sub/x"]);
    expect(await changes.toPatch()).not.toMatch(/git\/|hooks|objects/i);
    const report = await changes.apply();
    expect(report).toMatchObject({ written: ["a.txt"], deleted: ["sub/x"] });
    expect(report.outside).toEqual([...planted, ".git/x", "new/.git/objects"].sort());
    expect(readTree(join(host.root, ".git"))).toEqual(before);
    expect(Object.keys(readTree(host.root)).sort()).toEqual([".git/config", "a.txt"]);
  });

  it("writes every kind of change to the host, and undo restores the old state", async () => {
    const { host, filesystem, workspace } = await mountTree({
      "edit.txt": "one\ntwo\n",
      "gone.txt": "gone",
      "old/name.txt": "moved",
      "old/deep/other.txt": "moved too",
      "run.sh": "#!/bin/sh\n",
      "kept.txt": "kept",
      "becomes-directory": "file",
      "becomes-file/x": "x",
      "empty-before/inner": { directory: true },
    });
    const before = all(host.root);
    await filesystem.write("edit.txt", "one\nTWO\n");
    await filesystem.delete("gone.txt");
    await filesystem.move("old", "new");
    await filesystem.writeBytes("run.sh", new TextEncoder().encode("#!/bin/sh\n"), {
      executable: true,
    });
    await filesystem.write("added/deep/file.txt", "added");
    await filesystem.writeBytes("binary", Uint8Array.of(0, 255, 10));
    await filesystem.delete("becomes-directory");
    await filesystem.write("becomes-directory/inner.txt", "inner");
    await filesystem.delete("becomes-file", { recursive: true });
    await filesystem.write("becomes-file", "file");
    await filesystem.delete("empty-before", { recursive: true });
    await filesystem.mkdir("empty-after/inner");

    const report = await workspace.changes().apply({ onConflict: "refuse" });
    expect(report).toEqual({
      written: [
        ...[
          "added/deep/file.txt",
          "becomes-directory/inner.txt",
          "becomes-file",
          "binary",
          "edit.txt",
        ],
        ...["empty-after/inner", "new/deep/other.txt", "new/name.txt", "run.sh"],
      ],
      deleted: [
        "becomes-directory",
        "becomes-file/x",
        "empty-before/inner",
        "gone.txt",
        "old/deep/other.txt",
        "old/name.txt",
      ],
      merged: [],
      outside: [],
      conflicts: [],
      undoToken: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
    const after = all(host.root);
    const again = new InMemoryFilesystem();
    await mountHost(again, [{ hostPath: "." }], host.options);
    expect(await contentsOf(again)).toEqual(await contentsOf(filesystem));
    expect(statSync(join(host.root, "run.sh")).mode & 0o777).toBe(0o755);
    expect(existsSync(join(host.root, "old"))).toBe(false);
    expect(existsSync(join(host.root, "empty-before"))).toBe(false);
    expect(await workspace.changes().files()).toEqual([]);

    await workspace.changes().undo(report.undoToken ?? "");
    expect(all(host.root)).toEqual(before);
    await workspace.changes().apply();
    expect(all(host.root)).toEqual(after);
  });

  it("does nothing and leaves no journal when nothing changed", async () => {
    const { host, workspace } = await mountTree({ a: "1" });
    expect(await workspace.changes().apply()).toMatchObject({ written: [], undoToken: undefined });
    expect(existsSync(host.options.stateDirectory ?? "")).toBe(false);
  });

  it("compares with the state of the previous apply", async () => {
    const { host, filesystem, workspace } = await mountTree({ a: "1\n" });
    for (const text of ["2\n", "3\n", "4\n"]) {
      await filesystem.write("a", text);
      expect(await workspace.changes().apply()).toMatchObject({ written: ["a"] });
      expect(readFileSync(join(host.root, "a"), "utf8")).toBe(text);
    }
  });

  it("keeps the host's permissions and gives new files the default ones", async () => {
    const { root, options } = makeHost({
      private: "1",
      program: { program: "1" },
      "closed/x": "1",
    });
    chmodSync(join(root, "private"), 0o600);
    chmodSync(join(root, "program"), 0o750);
    chmodSync(join(root, "closed"), 0o700);
    const filesystem = new InMemoryFilesystem();
    const workspace = await mountHost(filesystem, [{ hostPath: "." }], options);
    await filesystem.write("private", "2");
    await filesystem.write("program", "2");
    await filesystem.delete("closed", { recursive: true });
    await filesystem.write("new", "2");
    const mode = (path: string) => statSync(join(root, path)).mode & 0o777;
    const { undoToken } = await workspace.changes().apply();
    expect([mode("private"), mode("program"), mode("new")]).toEqual([0o600, 0o750, 0o644]);
    await workspace.changes().undo(undoToken ?? "");
    expect([mode("private"), mode("program"), mode("closed")]).toEqual([0o600, 0o750, 0o700]);
  });

  it("maps each mount back to its host path and reports changes outside the mounts", async () => {
    const { root, options } = makeHost({ "src/a.ts": "a", "README.md": "r" });
    const filesystem = new InMemoryFilesystem();
    const mounts = [
      { hostPath: "src", mountPath: "code/here" },
      { hostPath: "README.md", mountPath: "docs/" },
    ];
    const workspace = await mountHost(filesystem, mounts, options);
    await filesystem.write("code/here/a.ts", "A");
    await filesystem.write("code/here/sub/b.ts", "B");
    await filesystem.write("docs/README.md", "R");
    await filesystem.write("docs/more.md", "nowhere to go");
    await filesystem.write("code/outside.ts", "nowhere to go");
    const report = await workspace.changes().apply();
    expect(report).toMatchObject({
      written: ["code/here/a.ts", "code/here/sub/b.ts", "docs/README.md"],
      outside: ["code/outside.ts", "docs/more.md"],
    });
    expect(readTree(root)).toEqual({
      "README.md": `file ${btoa("R")}`,
      "src/a.ts": `file ${btoa("A")}`,
      "src/sub/b.ts": `file ${btoa("B")}`,
    });
  });

  it("only reports what it would do on a dry run", async () => {
    const { host, filesystem, workspace } = await mountTree({ a: "1", b: "1" });
    await filesystem.write("a", "2");
    await filesystem.write("b", "2");
    writeFileSync(join(host.root, "b"), "host");
    const before = all(host.root);
    expect(await workspace.changes().apply({ dryRun: true })).toEqual({
      written: ["a"],
      deleted: [],
      merged: [],
      outside: [],
      conflicts: [{ path: "b", reason: "changed" }],
      undoToken: undefined,
    });
    expect(all(host.root)).toEqual(before);
  });

  it("compares with a given snapshot", async () => {
    const { filesystem, workspace } = await mountTree({ a: "1\n" });
    await filesystem.write("a", "2\n");
    const since = await filesystem.snapshot();
    await filesystem.write("b", "new\n");
    expect((await workspace.changes().files()).map(({ path }) => path)).toEqual(["a", "b"]);
    expect((await workspace.changes({ since }).files()).map(({ path }) => path)).toEqual(["b"]);
  });

  it("writes a patch that git can apply to the host's files", async () => {
    const { host, filesystem, workspace } = await mountTree({ "a b.txt": "1\n2\n", gone: "x" });
    await filesystem.write("a b.txt", "1\ntwo\n");
    await filesystem.delete("gone");
    await filesystem.writeBytes("née.bin", Uint8Array.of(0, 1, 2));
    const input = await workspace.changes().toPatch();
    const { status, stderr } = spawnSync("git", ["apply"], {
      cwd: host.root,
      input,
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(await workspace.changes().apply()).toMatchObject({ undoToken: undefined, written: [] });
  });
});

describe("apply to a host that changed after the mount", () => {
  it("changes nothing and lists every conflicting file (SN-22)", async () => {
    const { host, filesystem, workspace } = await mountTree({
      "edited.txt": "1",
      "deleted-here.txt": "1",
      "deleted-there.txt": "1",
      "fine.txt": "1",
      "directory/x": "1",
    });
    await filesystem.write("edited.txt", "ours");
    await filesystem.delete("deleted-here.txt");
    await filesystem.write("deleted-there.txt", "ours");
    await filesystem.write("fine.txt", "ours");
    await filesystem.write("new.txt", "ours");
    await filesystem.write("new-directory/file", "ours");
    await filesystem.delete("directory", { recursive: true });
    await filesystem.write("directory", "a file now");
    writeFileSync(join(host.root, "edited.txt"), "theirs");
    writeFileSync(join(host.root, "deleted-here.txt"), "theirs");
    rmSync(join(host.root, "deleted-there.txt"));
    writeFileSync(join(host.root, "new.txt"), "theirs");
    writeFileSync(join(host.root, "new-directory"), "theirs");
    writeFileSync(join(host.root, "directory/theirs"), "theirs");
    const before = all(host.root);
    const conflicts = [
      { path: "deleted-here.txt", reason: "changed" },
      { path: "deleted-there.txt", reason: "missing" },
      { path: "directory", reason: "blocked" },
      { path: "edited.txt", reason: "changed" },
      { path: "new-directory/file", reason: "blocked" },
      { path: "new.txt", reason: "exists" },
    ];
    for (const onConflict of ["refuse", "merge"] as const)
      await expect(workspace.changes().apply({ onConflict })).rejects.toMatchObject({
        name: "ApplyConflictError",
        conflicts,
      });
    expect(all(host.root)).toEqual(before);
    expect(existsSync(host.options.stateDirectory ?? "")).toBe(false);
  });

  it("accepts a file that already has the new content", async () => {
    const { host, filesystem, workspace } = await mountTree({ a: "1", b: "1", c: "1" });
    await filesystem.write("a", "2");
    await filesystem.delete("b");
    await filesystem.write("new", "n");
    await filesystem.write("c", "2");
    writeFileSync(join(host.root, "a"), "2");
    rmSync(join(host.root, "b"));
    writeFileSync(join(host.root, "new"), "n");
    expect(await workspace.changes().apply()).toMatchObject({ written: ["c"], deleted: [] });
  });

  it("merges changes to different lines", async () => {
    const text = "1\n2\n3\n4\n5\n6\n7\n";
    const { host, filesystem, workspace } = await mountTree({ a: text, run: text });
    await filesystem.write("a", text.replace("2", "two"));
    await filesystem.writeBytes("run", new TextEncoder().encode(text), { executable: true });
    writeFileSync(join(host.root, "a"), text.replace("6", "six"));
    writeFileSync(join(host.root, "run"), "something else");
    await expect(workspace.changes().apply()).rejects.toMatchObject({ name: "ApplyConflictError" });
    const report = await workspace.changes().apply({ onConflict: "merge" });
    expect(report).toMatchObject({ written: ["a", "run"], merged: ["a", "run"] });
    expect(readFileSync(join(host.root, "a"), "utf8")).toBe("1\ntwo\n3\n4\n5\nsix\n7\n");
    expect(readFileSync(join(host.root, "run"), "utf8")).toBe("something else");
    expect(statSync(join(host.root, "run")).mode & 0o111).not.toBe(0);

    await filesystem.write("a", text.replace("2", "two").replace("4", "four"));
    await workspace.changes().apply({ onConflict: "merge" });
    expect(readFileSync(join(host.root, "a"), "utf8")).toBe("1\ntwo\n3\nfour\n5\nsix\n7\n");
  });

  it.each([
    { what: "the same line", base: "1\n2\n3\n", ours: "1\nx\n3\n", theirs: "1\ny\n3\n" },
    { what: "binary files", base: "\0" + "1", ours: "\0" + "2", theirs: "\0" + "3" },
  ])("rejects when both sides changed $what", async ({ base, ours, theirs }) => {
    const { host, filesystem, workspace } = await mountTree({ a: base, b: "1" });
    await filesystem.writeBytes("a", new TextEncoder().encode(ours));
    await filesystem.write("b", "2");
    writeFileSync(join(host.root, "a"), theirs);
    await expect(workspace.changes().apply({ onConflict: "merge" })).rejects.toMatchObject({
      conflicts: [{ path: "a", reason: "changed" }],
    });
    expect(readFileSync(join(host.root, "b"), "utf8")).toBe("1");
  });

  it("does not follow a link out of the allowed root (G184)", async () => {
    const { host, filesystem, workspace } = await mountTree({ "a/x": "1", b: "1" });
    await filesystem.write("a/x", "2");
    await filesystem.write("a/new", "2");
    await filesystem.write("b", "2");
    writeTree(host.outside, { x: "1", victim: "1" });
    renameSync(join(host.root, "a"), join(host.root, "away"));
    symlinkSync(host.outside, join(host.root, "a"));
    rmSync(join(host.root, "b"));
    symlinkSync(join(host.outside, "victim"), join(host.root, "b"));
    await expect(workspace.changes().apply({ onConflict: "merge" })).rejects.toMatchObject({
      conflicts: ["a/new", "a/x", "b"].map((path) => ({ path, reason: "link" })),
    });
    expect(readTree(host.outside)).toEqual({ x: `file ${btoa("1")}`, victim: `file ${btoa("1")}` });
  });

  it("writes nothing when the allowed root was replaced by another directory (G183)", async () => {
    const { host, filesystem, workspace } = await mountTree({ a: "1" });
    await filesystem.write("a", "2");
    renameSync(host.root, `${host.root}-away`);
    mkdirSync(host.root);
    writeTree(host.root, { a: "1" });
    await expect(workspace.changes().apply()).rejects.toMatchObject({ code: "EACCES" });
    expect(readFileSync(join(host.root, "a"), "utf8")).toBe("1");
  });
});

describe("a file that was left out of the mount", () => {
  it("is never changed (G190)", async () => {
    const { host, filesystem, workspace } = await mountTree(
      { "d/.env": "TOKEN=1", "d/code.ts": "1", "d/skip.log": "log", "e/only.ts": "1" },
      { excludeGlob: ["*.log"] },
    );
    await filesystem.delete("d", { recursive: true });
    await filesystem.delete("e", { recursive: true });
    expect(await workspace.changes().apply()).toMatchObject({
      deleted: ["d/code.ts", "e/only.ts"],
    });
    expect(Object.keys(all(host.root))).toEqual(["d", "d/.env", "d/skip.log"]);
    await filesystem.write("d/.env", "TOKEN=stolen");
    await filesystem.write("d/skip.log", "mine");
    await expect(workspace.changes().apply({ onConflict: "merge" })).rejects.toMatchObject({
      conflicts: [
        { path: "d/.env", reason: "exists" },
        { path: "d/skip.log", reason: "exists" },
      ],
    });
    expect(readFileSync(join(host.root, "d/.env"), "utf8")).toBe("TOKEN=1");
  });
});

describe("undo", () => {
  it("rejects and names each file that was changed since the apply", async () => {
    const { host, filesystem, workspace } = await mountTree({ a: "1", b: "1", gone: "1" });
    await filesystem.write("a", "2");
    await filesystem.write("b", "2");
    await filesystem.delete("gone");
    const { undoToken } = await workspace.changes().apply();
    writeFileSync(join(host.root, "b"), "theirs");
    writeFileSync(join(host.root, "gone"), "back again");
    const before = all(host.root);
    await expect(workspace.changes().undo(undoToken ?? "")).rejects.toMatchObject({
      name: "ApplyConflictError",
      conflicts: expect.arrayContaining([
        { path: "b", reason: "changed" },
        { path: "gone", reason: "changed" },
      ]),
    });
    expect(all(host.root)).toEqual(before);
  });

  it("works once, also from another mount of the same directory", async () => {
    const { host, filesystem, workspace } = await mountTree({ a: "1" });
    await filesystem.write("a", "2");
    const { undoToken = "" } = await workspace.changes().apply();
    const other = await mountHost(new InMemoryFilesystem(), [{ hostPath: "." }], host.options);
    await other.changes().undo(undoToken);
    expect(readFileSync(join(host.root, "a"), "utf8")).toBe("1");
    await expect(workspace.changes().undo(undoToken)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("works in any order, and an undone change is reported as a change again", async () => {
    const { host, filesystem, workspace } = await mountTree({ a: "0", b: "0" });
    const before = all(host.root);
    await filesystem.write("a", "1");
    const first = await workspace.changes().apply();
    await filesystem.write("b", "1");
    const second = await workspace.changes().apply();
    await workspace.changes().undo(first.undoToken ?? "");
    expect((await workspace.changes().files()).map(({ path }) => path)).toContain("a");
    await workspace.changes().undo(second.undoToken ?? "");
    expect(all(host.root)).toEqual(before);
    expect((await workspace.changes().files()).map(({ path }) => path)).toEqual(["a", "b"]);
    expect(await workspace.changes().apply()).toMatchObject({ written: ["a", "b"] });
  });

  it("deletes the snapshots that are no longer needed", async () => {
    const { filesystem, workspace } = await mountTree({ a: "0" });
    await filesystem.write("a", "1");
    await workspace.changes().files();
    await workspace.changes().apply({ dryRun: true });
    const { undoToken = "" } = await workspace.changes().apply();
    expect(await filesystem.snapshots()).toHaveLength(2);
    await workspace.changes().undo(undoToken);
    expect(await filesystem.snapshots()).toHaveLength(1);
    await filesystem.prune({ maxCount: 0 });
    expect((await workspace.changes().files()).map(({ path }) => path)).toEqual(["a"]);
  });

  it.each(["", "../../x", "f".repeat(32)])("rejects the unknown token %j", async (token) => {
    const { workspace } = await mountTree({ a: "1" });
    await expect(workspace.changes().undo(token)).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("works for the last twenty applies", async () => {
    const { host, filesystem, workspace } = await mountTree({ a: "0" });
    const tokens: (string | undefined)[] = [];
    for (let round = 1; round <= 22; round++) {
      await filesystem.write("a", `${round}`);
      tokens.push((await workspace.changes().apply()).undoToken);
    }
    await expect(workspace.changes().undo(tokens[0] ?? "")).rejects.toMatchObject({
      code: "ENOENT",
    });
    await workspace.changes().undo(tokens[21] ?? "");
    expect(readFileSync(join(host.root, "a"), "utf8")).toBe("21");
  });
});

it("apply rejects a state directory that other users can read", async () => {
  const host = makeHost({ a: "1" });
  mkdirSync(host.options.stateDirectory ?? "");
  chmodSync(host.options.stateDirectory ?? "", 0o755);
  const mounting = mountHost(new InMemoryFilesystem(), [{ hostPath: "." }], host.options);
  await expect(mounting).rejects.toMatchObject({
    code: "EACCES",
    message: expect.stringContaining("stateDirectory"),
  });
});

it("apply supports a filesystem without snapshots", async () => {
  const { root, options } = makeHost({ a: "1", "b/c": "2", run: { program: "x" } });
  const inner = new InMemoryFilesystem();
  const plain = withoutStates(inner);
  const workspace = await mountHost(plain, [{ hostPath: "." }], options);
  expect(await workspace.changes().files()).toEqual([]);
  await inner.write("a", "changed");
  await inner.move("b/c", "d");
  expect((await workspace.changes().files()).map(({ type, path }) => [type, path])).toEqual([
    ["modified", "a"],
    ["renamed", "d"],
  ]);
  await workspace.changes().apply();
  expect(Object.keys(readTree(root))).toEqual(["a", "d", "run"]);
});

/** The filesystem with only the members of the plain protocol. */
function withoutStates(inner: InMemoryFilesystem): Filesystem {
  const names = [
    "read",
    "readBytes",
    "exists",
    "stat",
    "list",
    "glob",
    "grep",
    "write",
    "writeBytes",
  ] as const;
  const more = [
    "delete",
    "mkdir",
    "copy",
    "move",
    "openRead",
    "openWrite",
    "openText",
    "usage",
  ] as const;
  const bound = [...names, ...more].map((name) => [name, inner[name].bind(inner)]);
  const { root, readOnly, mountPoint, limits, quotas } = inner;
  // The two lists and the line above contain every member of the interface.
  return { ...Object.fromEntries(bound), root, readOnly, mountPoint, limits, quotas } as Filesystem;
}

it("apply writes random changes to the host, and undo restores the old state exactly", async () => {
  let state = 4711;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const path = () => Array.from({ length: 1 + random(3) }, () => "abcd"[random(4)]).join("/");
  for (let round = 0; round < 40; round++) {
    const { host, filesystem, workspace } = await mountTree({});
    for (let count = 0; count < 12; count++) {
      const target = path();
      await filesystem
        .write(target, `${random(5)}\n`, { executable: random(4) === 0 })
        .catch(() => {});
    }
    await workspace.changes().apply();
    const before = all(host.root);
    for (let count = 0; count < 10; count++) {
      const target = path();
      const change = [
        () => filesystem.delete(target, { recursive: true }),
        () => filesystem.write(target, `${random(5)}\n`, { executable: random(4) === 0 }),
        () => filesystem.move(target, path()),
        () => filesystem.mkdir(target),
      ][random(4)];
      await change?.().catch(() => {});
    }
    const { undoToken } = await workspace.changes().apply();
    const fresh = new InMemoryFilesystem();
    await mountHost(fresh, [{ hostPath: "." }], host.options);
    expect(await contentsOf(fresh)).toEqual(await contentsOf(filesystem));
    if (undoToken !== undefined) await workspace.changes().undo(undoToken);
    expect(all(host.root)).toEqual(before);
  }
});

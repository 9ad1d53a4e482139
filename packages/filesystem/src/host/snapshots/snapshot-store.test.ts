import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { FilesystemSnapshot } from "../../snapshots/filesystem-snapshot.js";
import type { TreeEntry } from "../../snapshots/tree-view.js";
import { takeToken } from "../process/process-token.js";
import { afterwards, bench, manifest, putFile, scratch } from "./store-fixture.test.support.js";

describe("a snapshot", () => {
  it("is plain data that describes itself", async () => {
    const { workspace, store, put } = bench();
    put("a", "1");
    const snapshot = await store.create({ tag: "first\nline \ud800", name: "one" });
    expect(snapshot).toEqual({
      snapshotId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      createdAt: expect.stringMatching(/Z$/),
      commitRef: expect.stringMatching(/^[0-9a-f]{40}$/),
      rootPath: workspace,
      tag: "first\nline \ud800",
      name: "one",
    });
    expect(JSON.parse(JSON.stringify(snapshot))).toEqual(snapshot);
    expect(store.list()).toEqual([snapshot]);
  });

  it("is listed newest first, whatever the clock says (D120)", async () => {
    const { store } = bench();
    const now = Date.now;
    afterwards(() => {
      Date.now = now;
    });
    const ids: string[] = [];
    for (const offset of [0, 5e9, -5e9, 0]) {
      Date.now = () => now() + offset;
      ids.unshift((await store.create({})).snapshotId);
    }
    expect(store.list().map(({ snapshotId }) => snapshotId)).toEqual(ids);
  });

  it("loses its name when another snapshot takes it", async () => {
    const { store } = bench();
    const first = await store.create({ name: "best" });
    const second = await store.create({ name: "best" });
    expect(store.list().map(({ snapshotId, name }) => [snapshotId, name])).toEqual([
      [second.snapshotId, "best"],
      [first.snapshotId, undefined],
    ]);
  });

  it("reports special files, and a restore removes them (D117, SN-15)", async () => {
    const { workspace, store, put } = bench();
    put("a", "1");
    const before = await store.create({});
    execFileSync("mkfifo", [join(workspace, "pipe")]);
    const after = await store.create({});
    expect(after.leftOut).toEqual([{ path: "pipe", reason: "special" }]);
    await store.restore(before);
    expect(readdirSync(workspace)).toEqual(["a"]);
  });

  it("neither contains nor changes files that the host excludes (D95, SN-15)", async () => {
    const { workspace, store, put } = bench({
      exclude: ["node_modules", "*.cache", "build/out/**"],
    });
    for (const path of [
      "src/a",
      "node_modules/x/y",
      "deep/node_modules/z",
      "src/b.cache",
      "build/out/c",
    ])
      put(path, path);
    const snapshot = await store.create({});
    expect(snapshot.leftOut?.map(({ path, reason }) => `${reason} ${path}`).sort()).toEqual([
      "excluded build/out",
      "excluded deep/node_modules",
      "excluded node_modules",
      "excluded src/b.cache",
    ]);
    put("node_modules/x/y", "changed");
    put("node_modules/new", "new");
    put("src/a", "changed");
    put("added/node_modules/n", "stays");
    put("added/goes", "goes");
    rmSync(join(workspace, "deep"), { recursive: true });
    await store.restore(snapshot);
    expect(readFileSync(join(workspace, "src/a"), "utf8")).toBe("src/a");
    expect(readFileSync(join(workspace, "node_modules/x/y"), "utf8")).toBe("changed");
    expect(existsSync(join(workspace, "node_modules/new"))).toBe(true);
    expect(readdirSync(join(workspace, "added"))).toEqual(["node_modules"]);
    expect(readdirSync(join(workspace, "deep"))).toEqual([]);
  });

  it("does not remove excluded files to make room for a file (D95)", async () => {
    const { workspace, store, put } = bench({ exclude: ["keep"] });
    put("a", "a file");
    const snapshot = await store.create({});
    rmSync(join(workspace, "a"));
    put("a/keep/x", "precious");
    await expect(store.restore(snapshot)).rejects.toMatchObject({
      code: "INCOMPLETE",
      paths: ["a"],
    });
    expect(readFileSync(join(workspace, "a/keep/x"), "utf8")).toBe("precious");
    rmSync(join(workspace, "a"), { recursive: true });
    await store.restore(snapshot);
    expect(readFileSync(join(workspace, "a"), "utf8")).toBe("a file");
  });

  it("ignores files over the size limit, when capturing and when restoring (D121)", async () => {
    const { workspace, store, put } = bench({ maxFileBytes: 10 });
    put("large", "more than ten bytes");
    put("small", "1");
    const snapshot = await store.create({});
    expect(snapshot.leftOut).toEqual([{ path: "large", reason: "too-large" }]);
    put("large", "short now");
    put("small", "grown to more than ten");
    await store.restore(snapshot);
    expect(readFileSync(join(workspace, "large"), "utf8")).toBe("short now");
    expect(readFileSync(join(workspace, "small"), "utf8")).toBe("1");
  });

  it("restores files without set-user-ID and set-group-ID bits (D111)", async () => {
    const { workspace, store, put } = bench();
    put("run", "#!/bin/sh\n");
    chmodSync(join(workspace, "run"), 0o755);
    const snapshot = await store.create({});
    chmodSync(join(workspace, "run"), 0o6755);
    await store.restore(snapshot);
    expect(statSync(join(workspace, "run")).mode & 0o7777).toBe(0o755);
  });

  it("adds no objects if nothing has changed (D123)", async () => {
    const { store, put, storeDirectory } = bench();
    for (let index = 0; index < 300; index++) put(`d${index % 7}/f${index}`, `${index}`);
    await store.create({});
    const count = () =>
      manifest(join(storeDirectory, "objects")).filter((line) => !line.startsWith("d ")).length;
    const before = count();
    await store.create({});
    expect(count()).toBe(before + 1);
    put("d3/f3", "changed");
    await store.create({});
    // The file, two directories with their side records, and the commit.
    expect(count()).toBe(before + 1 + 6);
  });

  it("detects a change that the cached stat does not show, also with the cache of another process (D119)", async () => {
    const { store, put, workspace, reopen } = bench();
    put("a", "one");
    await store.create({});
    store.close();
    writeFileSync(join(workspace, "a"), "two");
    const later = reopen();
    const snapshot = await later.create({});
    put("a", "six");
    await later.restore(snapshot);
    expect(readFileSync(join(workspace, "a"), "utf8")).toBe("two");
  });
});

describe("restoring", () => {
  const forged = { createdAt: "", rootPath: "/elsewhere", commitRef: "0".repeat(40) };
  it.each([
    ...["", "--help", "--output=/x", "HEAD", "refs/../../x", "../../x", "0".repeat(41)],
    ...["00000000-0000-0000-0000-000000000000", "x".repeat(10_000), "a\0b"],
  ])("refuses the ID %j and changes nothing (D132)", async (snapshotId) => {
    const { store, put, workspace } = bench();
    put("a", "1");
    const real = await store.create({});
    const before = manifest(workspace);
    await expect(store.restore({ ...real, snapshotId })).rejects.toMatchObject({
      code: "UNKNOWN_SNAPSHOT",
    });
    await expect(store.restore({ ...forged, snapshotId })).rejects.toMatchObject({
      code: expect.stringMatching(/UNKNOWN|FOREIGN/),
    });
    expect(manifest(workspace)).toEqual(before);
  });

  it.each([null, undefined, {}, { snapshotId: 1 }, { snapshotId: { toString: () => "x" } }, []])(
    "refuses %j as a snapshot (D133)",
    async (value) => {
      const { store } = bench();
      // Data from a session can be anything.
      await expect(store.restore(value as unknown as FilesystemSnapshot)).rejects.toMatchObject({
        code: "UNKNOWN_SNAPSHOT",
      });
    },
  );

  it("refuses a snapshot of another workspace in the same store, and of another store (D133)", async () => {
    const place = scratch();
    const { store, storeDirectory } = bench();
    const other = bench({ storeDirectory }, place);
    const theirs = await other.store.create({});
    expect(store.list()).toEqual([]);
    await expect(store.restore(theirs)).rejects.toMatchObject({ code: "UNKNOWN_SNAPSHOT" });
    const elsewhere = await bench().store.create({});
    await expect(store.restore(elsewhere)).rejects.toMatchObject({ code: "UNKNOWN_SNAPSHOT" });
  });

  it("trusts only the ID (D133)", async () => {
    const { store, put, workspace } = bench();
    put("a", "1");
    const real = await store.create({});
    const other = await store.create({});
    await expect(store.restore({ ...real, commitRef: other.commitRef })).rejects.toMatchObject({
      code: "UNKNOWN_SNAPSHOT",
    });
    put("a", "2");
    const odd = {
      ...real,
      rootPath: "/etc",
      gitDir: "/tmp/hostile",
      leftOut: [{ path: "a", reason: "excluded" as const }],
    };
    await store.restore(odd);
    expect(readFileSync(join(workspace, "a"), "utf8")).toBe("1");
  });

  it("reports immutable files, restores the others, and completes when the file is mutable again (D118)", async (context) => {
    const { store, put, workspace } = bench();
    put("stuck", "1");
    put("other", "1");
    const snapshot = await store.create({});
    put("stuck", "2");
    put("other", "2");
    try {
      execFileSync("chattr", ["+i", join(workspace, "stuck")], { stdio: "ignore" });
    } catch {
      return context.skip("files cannot be made immutable here (chattr +i fails)");
    }
    afterwards(() => execFileSync("chattr", ["-i", join(workspace, "stuck")]));
    await expect(store.restore(snapshot)).rejects.toMatchObject({
      code: "INCOMPLETE",
      paths: ["stuck"],
    });
    expect(readFileSync(join(workspace, "other"), "utf8")).toBe("1");
    await expect(store.create({})).rejects.toMatchObject({ code: "INCOMPLETE" });
    execFileSync("chattr", ["-i", join(workspace, "stuck")]);
    await store.restore(snapshot);
    expect(readFileSync(join(workspace, "stuck"), "utf8")).toBe("1");
    await store.create({});
  });
});

describe("a damaged object", () => {
  it.each([
    { damage: "empty", with: () => Buffer.alloc(0) },
    { damage: "cut off", with: (file: Buffer) => file.subarray(0, file.length - 3) },
    {
      damage: "flipped",
      with: (file: Buffer) => Buffer.from(file.map((byte, at) => (at === 9 ? byte ^ 1 : byte))),
    },
  ])("is found before anything is changed: $damage (D131)", async ({ with: harm }) => {
    const { store, put, workspace, storeDirectory } = bench();
    put("a", "precious");
    put("b", "x");
    const snapshot = await store.create({});
    put("a", "2");
    put("b", "2");
    put("new", "2");
    const object = findObject(storeDirectory, "precious");
    chmodSync(object, 0o644);
    writeFileSync(object, harm(readFileSync(object)));
    const before = manifest(workspace);
    await expect(store.restore(snapshot)).rejects.toMatchObject({ code: "CORRUPT" });
    expect(manifest(workspace)).toEqual(before);
    expect(store.verify()).toMatchObject({ damaged: [{ snapshotId: snapshot.snapshotId }] });
    // Storing the same content again repairs the object.
    put("a", "precious");
    await store.create({});
    expect(store.verify().damaged).toEqual([]);
  });

  it("in a pack is found too (D131, SN-17)", async () => {
    const { store, put, workspace, storeDirectory } = bench();
    for (let index = 0; index < 400; index++) put(`f${index}`, `content ${index}`);
    const snapshot = await store.create({});
    const folder = join(storeDirectory, "objects/pack");
    const pack = join(folder, readdirSync(folder).find((name) => name.endsWith(".pack")) ?? "");
    const bytes = readFileSync(pack);
    bytes.write("!", bytes.indexOf("content 77"));
    chmodSync(pack, 0o644);
    writeFileSync(pack, bytes);
    rmSync(join(workspace, "f77"));
    await expect(store.restore(snapshot)).rejects.toMatchObject({ code: "CORRUPT" });
    expect(existsSync(join(workspace, "f77"))).toBe(false);
  });

  it("temporary files left by a crash do not prevent work (D125)", async () => {
    const { store, put, storeDirectory, reopen } = bench();
    put("a", "1");
    const kept = await store.create({ name: "kept" });
    // A token like those of this process, but with a PID that no process has.
    const deadToken = takeToken().replace(`-${process.pid}-`, "-999999999-");
    for (const path of [
      "objects/tmp_obj_1",
      "objects/pack/tmp_obj_2",
      "refs/wink/names/kept.lock",
      "packed-refs.lock",
      "index.lock",
      `wink/leases/${deadToken}`,
    ])
      putFile(join(storeDirectory, path), "");
    const later = reopen();
    await later.create({ name: "kept" });
    await later.delete([kept]);
    expect(later.list()).toHaveLength(1);
    expect(existsSync(join(storeDirectory, "objects/tmp_obj_1"))).toBe(false);
  });
});

describe("deleting", () => {
  it("frees the space that only that snapshot used (D126)", async () => {
    const { store, put, storeDirectory, git } = bench();
    put("kept", "k".repeat(10_000));
    const one = await store.create({});
    put("large", randomText(300_000));
    const two = await store.create({});
    const size = () => treeBytes(storeDirectory);
    const before = size();
    expect(store.heldBytes([one, two])).toBeGreaterThan(store.heldBytes([one]) + 100_000);
    await store.delete([two]);
    expect(size()).toBeLessThan(before - 100_000);
    expect(store.verify()).toMatchObject({ snapshotCount: 1, damaged: [] });
    expect(git("fsck", "--strict")).not.toContain("missing");
    await expect(store.restore(two)).rejects.toMatchObject({ code: "UNKNOWN_SNAPSHOT" });
  });

  it("rewrites packs with mostly unused objects and keeps every other snapshot (D126)", async () => {
    const { store, put, storeDirectory, git } = bench();
    for (let index = 0; index < 500; index++) put(`a/f${index}`, randomText(2_000));
    const first = await store.create({});
    for (let index = 0; index < 490; index++) put(`a/f${index}`, "same");
    const second = await store.create({});
    const before = treeBytes(storeDirectory);
    await store.delete([first]);
    expect(treeBytes(storeDirectory)).toBeLessThan(before / 4);
    put("a/f499", "changed");
    await store.restore(second);
    expect(store.verify().damaged).toEqual([]);
    git("fsck", "--strict");
  });

  it("frees the space of many small snapshots, which use disk in proportion to the changes (SN-18)", async () => {
    const { store, put, storeDirectory } = bench();
    for (let index = 0; index < 1_000; index++) put(`d${index % 40}/f${index}`, randomText(2_000));
    await store.create({});
    const first = treeBytes(storeDirectory);
    const later: FilesystemSnapshot[] = [];
    for (let index = 0; index < 60; index++) {
      put("d3/f3", `change ${index}`);
      later.push(await store.create({}));
    }
    const grown = treeBytes(storeDirectory) - first;
    expect(grown / 60).toBeLessThan(8_000);
    await store.delete(later);
    expect(treeBytes(storeDirectory)).toBeLessThan(first + 30_000);
  });

  it("keeps the objects of a view that is still in use (D126)", async () => {
    const { store, put } = bench();
    put("a", "seen");
    const snapshot = await store.create({});
    const view = await store.view(snapshot);
    put("a", "other");
    const now = await store.view(undefined);
    await store.delete([snapshot]);
    const read = (entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>) =>
      [...(entries as Iterable<TreeEntry>)].map((entry) =>
        Buffer.from(entry.read() as Uint8Array).toString(),
      );
    expect(read(view.entries())).toEqual(["seen"]);
    expect(read(now.entries())).toEqual(["other"]);
  });
});

describe("the store", () => {
  it("is a repository that git can read (D109, SN-18)", async () => {
    const { store, put, git } = bench();
    put("src/a.txt", "one\n");
    const one = await store.create({ name: "one", tag: "the first" });
    put("src/a.txt", "two\n");
    const two = await store.create({});
    expect(git("log", "--all", "--format=%s").split("\n")).toContain("one: the first");
    expect(git("diff", "--stat", one.commitRef, two.commitRef)).toContain("src/a.txt");
    expect(git("show", "refs/wink/names/one:src/a.txt")).toBe("one\n");
  });

  it("survives git's own garbage collection (D126)", async () => {
    const { store, put, git, reopen, workspace } = bench();
    put("a", "x".repeat(9_000));
    const one = await store.create({ name: "one" });
    put("a", `${"x".repeat(9_000)}y`);
    await store.create({});
    git("gc", "-q", "--prune=now");
    const later = reopen();
    await later.restore(one);
    expect(readFileSync(join(workspace, "a"), "utf8")).toHaveLength(9_000);
    expect(later.verify()).toMatchObject({ snapshotCount: 2, damaged: [] });
    await later.delete([one]);
    expect(later.list()).toHaveLength(1);
  });

  it("is accessible only to its owner", async () => {
    const { storeDirectory } = bench();
    expect(lstatSync(storeDirectory).mode & 0o777).toBe(0o700);
  });

  it("is removed when it is closed if it was temporary", async () => {
    const { store, put } = bench({ storeDirectory: undefined });
    put("a", "1");
    const place = store.directory;
    await store.create({});
    expect(existsSync(place)).toBe(true);
    store.close();
    expect(existsSync(place)).toBe(false);
  });

  it.each(["inside the workspace", "around the workspace", "a directory with other content"])(
    "is refused if it is %s",
    (where) => {
      const place = scratch();
      mkdirSync(join(place, "workspace/inner"), { recursive: true });
      putFile(join(place, "other/file"), "1");
      const storeDirectory = join(
        place,
        {
          "inside the workspace": "workspace/inner",
          "around the workspace": ".",
          "a directory with other content": "other",
        }[where] ?? "",
      );
      expect(() => bench({ storeDirectory }, place)).toThrow(
        expect.objectContaining({ code: "INVALID_STORE" }),
      );
    },
  );

  it("has no host path in its messages", async () => {
    const { store, put, workspace } = bench();
    put("a", "1");
    const error = await store
      .restore({ ...(await store.create({})), snapshotId: "x" })
      .catch((each) => each);
    expect(String(error)).not.toContain(workspace);
  });
});

describe("an imported snapshot", () => {
  it("is created from the given nodes, and is restored like any other", async () => {
    const { store, put, workspace } = bench();
    put("old", "1");
    const node = (
      path: string,
      kind: TreeEntry["kind"],
      content: string,
      executable = false,
    ): TreeEntry => ({
      path: path as VirtualPath,
      kind,
      executable,
      sizeBytes: content.length,
      contentId: "",
      read: () => Buffer.from(content),
    });
    const snapshot = await store.add(
      [
        node("d", "directory", ""),
        node("d/empty", "directory", ""),
        node("d/run", "file", "#!", true),
        node("deep/er/link", "symlink", "../x"),
      ],
      { name: "imported" },
    );
    expect(manifest(workspace)).toHaveLength(1);
    await store.restore(snapshot);
    expect(manifest(workspace).map((line) => line.split(" ").slice(0, 2).join(" "))).toEqual([
      "d /d",
      "d /d/empty",
      "d /deep",
      "d /deep/er",
      "l /deep/er/link",
      "x /d/run",
    ]);
    await expect(store.add([node("a//b", "file", "")], {})).rejects.toMatchObject({
      code: "INVALID_ARCHIVE",
    });
  });
});

function findObject(storeDirectory: string, content: string): string {
  const id = execFileSync("git", ["hash-object", "--stdin"], {
    input: content,
    encoding: "utf8",
  }).trim();
  return join(storeDirectory, "objects", id.slice(0, 2), id.slice(2));
}

function treeBytes(directory: string): number {
  return readdirSync(directory, { recursive: true, encoding: "utf8" })
    .map((name) => lstatSync(join(directory, name)))
    .reduce((sum, stat) => sum + (stat.isFile() ? stat.size : 0), 0);
}

let seed = 1;
/** Text that does not compress well. */
function randomText(length: number): string {
  let text = "";
  while (text.length < length) {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    text += seed.toString(36);
  }
  return text.slice(0, length);
}

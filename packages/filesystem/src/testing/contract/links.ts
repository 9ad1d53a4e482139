import assert from "node:assert/strict";
import type { Filesystem } from "../../protocol/filesystem.js";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";

type Call = (fs: Filesystem, path: string) => Promise<unknown>;

/** Calls that follow a link, and their results for a file with the text `1`. */
const FOLLOWS: Readonly<Record<string, readonly [Call, unknown]>> = {
  read: [async (fs, path) => (await fs.read(path)).content, "1"],
  readBytes: [async (fs, path) => (await fs.readBytes(path)).content[0], 0x31],
  stat: [async (fs, path) => (await fs.stat(path)).kind, "file"],
  exists: [(fs, path) => fs.exists(path), true],
  realpath: [(fs, path) => fs.realpath(path), "d/a"],
  contentId: [
    (fs, path) => fs.contentId(path),
    "6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b",
  ],
  openRead: [
    async (fs, path) => {
      await using reader = await fs.openRead(path);
      return (await reader.read())[0];
    },
    0x31,
  ],
  openText: [
    async (fs, path) => {
      await using reader = await fs.openText(path);
      const lines: string[] = [];
      for await (const line of reader) lines.push(line);
      return lines.join();
    },
    "1",
  ],
};

/** Calls that never follow a link. */
const REFUSES: Readonly<Record<string, Call>> = {
  list: (fs, path) => fs.list(path),
  glob: (fs, path) => fs.glob("*", { path }),
  grep: (fs, path) => fs.grep("1", { path }),
  write: (fs, path) => fs.write(path, "2"),
  append: (fs, path) => fs.write(path, "2", { mode: "append" }),
  writeBytes: (fs, path) => fs.writeBytes(path, Uint8Array.of(2)),
  openWrite: (fs, path) => fs.openWrite(path),
  mkdir: (fs, path) => fs.mkdir(path),
  chmod: (fs, path) => fs.chmod(path, 0o600),
  utimes: (fs, path) => fs.utimes(path, new Date(0)),
};

async function withTree(fs: Filesystem): Promise<Filesystem> {
  await fs.write("d/a", "1");
  await fs.symlink("d/a", "file-link");
  await fs.symlink("d", "directory-link");
  return fs;
}

export const links = defineArea("links", {
  "are created with any target and read back (FS-104)": async (open) => {
    const fs = await open();
    const targets = ["a", "../x", "/etc/passwd", "no where/é😀", "a//b/./..", "."];
    for (const [index, target] of targets.entries()) await fs.symlink(target, `l${index}`);
    const read = await Promise.all(targets.map((_, index) => fs.readlink(`l${index}`)));
    assert.deepEqual(read, targets);
  },
  "are listed as links (FS-104)": async (open) => {
    const fs = await withTree(await open());
    assert.deepEqual(
      (await fs.list()).map(({ name, kind, isFile, isDirectory }) => [
        name,
        kind,
        isFile,
        isDirectory,
      ]),
      [
        ["d", "directory", false, true],
        ["directory-link", "symlink", false, false],
        ["file-link", "symlink", false, false],
      ],
    );
  },
  "are described by stat without followLinks (FS-104)": async (open) => {
    const fs = await withTree(await open());
    const link = await fs.stat("file-link", { followLinks: false });
    assert.deepEqual(
      [link.kind, link.isFile, link.sizeBytes, link.identity, link.revision],
      ["symlink", false, 3, "file-link", undefined],
    );
    const file = await fs.stat("d/a", { followLinks: false });
    assert.deepEqual([file.kind, file.identity], ["file", "d/a"]);
    const below = await fs.stat("directory-link/a", { followLinks: false });
    assert.deepEqual([below.kind, below.identity], ["file", "d/a"]);
  },
  ...eachRow(
    Object.entries(FOLLOWS),
    ([operation]) => `are followed by ${operation} (FS-105)`,
    ([, [call, expected]]) =>
      async (open) => {
        const fs = await withTree(await open());
        for (const path of ["file-link", "directory-link/a", "d/../file-link"])
          assert.deepEqual(await call(fs, path), expected, path);
      },
  ),
  ...eachRow(
    Object.entries(REFUSES),
    ([operation]) => `are not followed by ${operation} (FS-105)`,
    ([, call]) =>
      async (open) => {
        const fs = await withTree(await open());
        for (const path of ["directory-link", "directory-link/a"])
          await expectFailure(call(fs, path), "EACCES", { path });
        assert.equal((await fs.read("d/a")).content, "1");
      },
  ),
  ...eachRow(
    [
      { target: "..", what: "the directory above" },
      { target: "../../../etc/passwd", what: "a path above" },
      { target: "/etc/passwd", what: "an absolute path" },
      { target: "../outside", what: "a neighbour of the root" },
      { target: "d/../../outside", what: "a path that climbs later" },
    ] as const,
    ({ what }) => `that lead to ${what} are EACCES and do not exist (FS-105)`,
    ({ target }) =>
      async (open) => {
        const fs = await open();
        await fs.write("d/a", "1");
        await fs.symlink(target, "link");
        for (const [operation, [call]] of Object.entries(FOLLOWS)) {
          if (operation === "exists") continue;
          await expectFailure(call(fs, "link"), "EACCES", { path: "link" });
          await expectFailure(call(fs, "link/x"), "EACCES", { path: "link/x" });
        }
        assert.deepEqual([await fs.exists("link"), await fs.exists("link/x")], [false, false]);
      },
  ),
  "to nothing are ENOENT and do not exist (FS-105)": async (open) => {
    const fs = await open();
    await fs.symlink("missing", "link");
    for (const path of ["link", "link/x"])
      await expectFailure(fs.read(path), "ENOENT", { operation: "read", path });
    assert.equal(await fs.exists("link"), false);
    await fs.write("missing", "now");
    assert.equal((await fs.read("link")).content, "now");
  },
  "through a file are ENOTDIR (FS-105)": async (open) => {
    const fs = await withTree(await open());
    await fs.symlink("d/a/b", "link");
    await expectFailure(fs.stat("link"), "ENOTDIR");
    await expectFailure(fs.stat("file-link/x"), "ENOTDIR");
    await expectFailure(fs.read("file-link/"), "ENOTDIR");
  },
  "in a circle are EACCES (FS-105)": async (open) => {
    const fs = await open();
    await fs.symlink("b", "a");
    await fs.symlink("a", "b");
    await fs.symlink("self/x", "self");
    for (const path of ["a", "b", "self"]) await expectFailure(fs.stat(path), "EACCES");
    assert.equal(await fs.exists("a"), false);
  },
  "are followed up to 40 times (FS-105)": async (open) => {
    const fs = await open();
    await fs.write("l0", "end");
    for (let index = 1; index <= 41; index++) await fs.symlink(`l${index - 1}`, `l${index}`);
    assert.equal((await fs.read("l40")).content, "end");
    await expectFailure(fs.read("l41"), "EACCES");
  },
  "resolve .. at the directory they lead to (FS-105)": async (open) => {
    const fs = await open();
    await fs.write("one/two/file", "inner");
    await fs.write("one/file", "wanted");
    await fs.symlink("one/two", "deep");
    await fs.symlink("deep/../file", "link");
    assert.equal((await fs.read("link")).content, "wanted");
    assert.equal(await fs.realpath("link"), "one/file");
  },
  "with an absolute target below the mount point are followed (FS-7, FS-105)": async (open) => {
    const fs = await open({ mountPoint: "/workspace" });
    await fs.write("d/a", "1");
    await fs.symlink("/workspace/d", "inside");
    await fs.symlink("/workspace2/d", "outside");
    assert.equal((await fs.read("inside/a")).content, "1");
    await expectFailure(fs.read("outside/a"), "EACCES");
  },
  "give two paths of one node the same identity (FS-106)": async (open) => {
    const fs = await withTree(await open());
    const { identity } = await fs.stat("d/a");
    assert.equal((await fs.stat("file-link")).identity, identity);
    assert.equal((await fs.stat("directory-link/a")).identity, identity);
    assert.notEqual((await fs.stat("d")).identity, identity);
  },
  "are copied as links (FS-34)": async (open) => {
    const fs = await withTree(await open());
    await fs.copy("file-link", "copy");
    await fs.symlink("a", "d/inner");
    await fs.copy("d", "e");
    const read = await Promise.all(["copy", "e/inner"].map((path) => fs.readlink(path)));
    assert.deepEqual(read, ["d/a", "a"]);
    assert.equal((await fs.usage()).nodeCount, 9);
  },
  "are moved as links (FS-35)": async (open) => {
    const fs = await withTree(await open());
    await fs.move("file-link", "moved");
    assert.equal(await fs.readlink("moved"), "d/a");
    await expectFailure(fs.readlink("file-link"), "ENOENT");
    assert.equal((await fs.read("d/a")).content, "1");
  },
  "are replaced by a copy or move with overwrite, and replace a file (FS-35)": async (open) => {
    const fs = await withTree(await open());
    await fs.write("file", "2");
    await expectFailure(fs.copy("file", "file-link"), "EEXIST");
    await fs.copy("file", "file-link", { overwrite: true });
    assert.equal((await fs.stat("file-link", { followLinks: false })).kind, "file");
    await fs.move("directory-link", "file", { overwrite: true });
    assert.equal(await fs.readlink("file"), "d");
    assert.equal((await fs.read("d/a")).content, "1");
  },
  "are deleted without their targets (FS-33)": async (open) => {
    const fs = await withTree(await open());
    await fs.delete("file-link");
    await fs.delete("directory-link");
    await expectFailure(fs.delete("directory-link"), "ENOENT");
    assert.equal((await fs.read("d/a")).content, "1");
    await fs.symlink("../x", "d/l");
    await fs.delete("d", { recursive: true });
    assert.deepEqual([...(await fs.list())], []);
  },
  "are neither matched nor traversed by glob and grep (FS-105)": async (open) => {
    const fs = await withTree(await open());
    assert.deepEqual(
      (await fs.glob("**", { directories: true })).map(({ path }) => path),
      ["d", "d/a"],
    );
    assert.deepEqual(
      (await fs.grep("1")).map(({ path }) => path),
      ["d/a"],
    );
  },
  "are refused where something exists (FS-104)": async (open) => {
    const fs = await withTree(await open());
    for (const path of ["d", "d/a", "file-link"])
      await expectFailure(fs.symlink("x", path), "EEXIST", { operation: "symlink", path });
    await expectFailure(fs.write("file-link", "", { mode: "create" }), "EEXIST");
  },
  "need a target and a place like a file (FS-104)": async (open) => {
    const fs = await open();
    await expectFailure(fs.symlink("", "l"), "EINVAL");
    await expectFailure(fs.symlink("a\0b", "l"), "EINVAL");
    await expectFailure(fs.symlink("x".repeat(5_000), "l"), "EINVAL");
    await expectFailure(fs.symlink("x", "../l"), "EACCES");
    await expectFailure(fs.symlink("x", ".git/l"), "EACCES");
    await expectFailure(fs.symlink("x", "l/"), "ENOTDIR");
    await expectFailure(fs.symlink("x", "a/b", { createParents: false }), "ENOENT");
    await fs.symlink("x", "a/b");
    assert.equal(await fs.readlink("a/b"), "x");
    assert.equal(await fs.exists("l"), false);
  },
  "are the only nodes that readlink reads (FS-104)": async (open) => {
    const fs = await withTree(await open());
    await expectFailure(fs.readlink("d/a"), "EINVAL", { operation: "readlink" });
    await expectFailure(fs.readlink("d"), "EINVAL");
    await expectFailure(fs.readlink("missing"), "ENOENT");
    await expectFailure(fs.readlink("../x"), "EACCES");
  },
  "count as one node without bytes (FS-60, FS-62)": async (open) => {
    const fs = await open({ quotas: { maxNodeCount: 2, maxTotalBytes: 1 } });
    await fs.symlink("a long target", "l");
    assert.deepEqual([(await fs.usage()).nodeCount, (await fs.usage()).totalBytes], [1, 0]);
    await expectFailure(fs.symlink("x", "d/l"), "EDQUOT");
    await fs.symlink("x", "m");
    await expectFailure(fs.symlink("x", "n"), "EDQUOT");
  },
  "are refused by a read-only filesystem (FS-63)": async (open) => {
    const fs = await open({ readOnly: true });
    await expectFailure(fs.symlink("x", "l"), "EROFS", { operation: "symlink", path: "l" });
  },
});

import assert from "node:assert/strict";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";
import { treeOf } from "./tree-of.js";

const SAME_FILE = [
  "a/b.txt",
  "/a/b.txt",
  "//a///b.txt",
  "./a/./b.txt",
  "a\\b.txt",
  "\\a\\b.txt",
  "x/../a/b.txt",
  "a/missing/../b.txt",
  "a/b.txt/../b.txt",
  "/x/y/../../a/b.txt",
];

const CLIMBING = ["..", "../x", "a/../../x", "./../x", "/..", "/../x", "..\\x", "a\\..\\..\\x"];
const LITERAL = [
  "~",
  "~root",
  "$HOME",
  "%2e%2e",
  "..foo",
  "...",
  ".. ",
  " x",
  "x ",
  "x.",
  "．．",
  "-rf",
  "*",
  "[x]",
  "{a,b}",
  "C:x",
  "CON",
];
const ROOTS = ["", ".", "/", "./", "a/..", "\\"];

export const paths = defineArea("paths", {
  ...eachRow(
    SAME_FILE,
    (path) => `finds a/b.txt as ${path} (A2, A6, A9, FS-1, FS-2, FS-4)`,
    (path) => async (open) => {
      const fs = await open();
      await fs.write("a/b.txt", "found");
      const { content, path: shown } = await fs.read(path);
      assert.deepEqual({ content, shown }, { content: "found", shown: "a/b.txt" });
    },
  ),
  ...eachRow(
    CLIMBING,
    (path) =>
      `refuses ${path}, which escapes the root, and does not clamp it to the root (A1, A9, FS-3)`,
    (path) => async (open) => {
      const fs = await open();
      await fs.write("x", "inside");
      await fs.mkdir("a");
      await expectFailure(fs.read(path), "EACCES", { operation: "read", path });
      await expectFailure(fs.exists(path), "EACCES", { operation: "exists", path });
      await expectFailure(fs.write(path, "y"), "EACCES", { operation: "write", path });
      await expectFailure(fs.delete(path, { recursive: true }), "EACCES", { path });
      assert.deepEqual(await treeOf(fs), { a: null, x: "inside" });
    },
  ),
  ...eachRow(
    LITERAL,
    (name) => `accepts ${JSON.stringify(name)} as an ordinary name (A7, A12, A14, A18, A19, FS-6)`,
    (name) => async (open) => {
      const fs = await open();
      await fs.write(name, "kept");
      assert.equal((await fs.read(name)).content, "kept");
      assert.deepEqual(
        (await fs.list()).map((entry) => entry.name),
        [name],
      );
    },
  ),
  ...eachRow(
    ROOTS,
    (path) => `treats ${JSON.stringify(path)} as the root, which cannot be replaced (A22, FS-9)`,
    (path) => async (open) => {
      const fs = await open();
      await fs.write("a/f", "1");
      assert.deepEqual(
        (await fs.list(path)).map((entry) => entry.name),
        ["a"],
      );
      assert.equal((await fs.stat(path)).isDirectory, true);
      await expectFailure(fs.read(path), "EISDIR");
      await expectFailure(fs.write(path, ""), "EISDIR");
      await expectFailure(fs.delete(path, { recursive: true }), "EACCES");
      await expectFailure(fs.move(path, "b"), "EACCES");
      await expectFailure(fs.copy(path, "b"), "EACCES");
      await expectFailure(fs.move("a", path, { overwrite: true }), "EACCES");
      assert.deepEqual(await treeOf(fs), { a: null, "a/f": "1" });
    },
  ),
  ...eachRow(
    [
      "a\0b",
      "ok.txt\0.png",
      "a\nb",
      "a\tb",
      "\u001b[2J",
      "a\u007f",
      "a\u0085b",
      "\ud800",
      "a/\udc00/b",
    ],
    (path) => `refuses ${JSON.stringify(path)} as an invalid path (A10, A11, FS-5)`,
    (path) => async (open) => {
      const fs = await open();
      await expectFailure(fs.read(path), "EINVAL", { operation: "read" });
      await expectFailure(fs.write(path, ""), "EINVAL", { operation: "write" });
      await expectFailure(fs.mkdir(path), "EINVAL", { operation: "mkdir" });
      assert.deepEqual(await treeOf(fs), {});
    },
  ),
  ...eachRow(
    [undefined, null, 7, new URL("file:///etc/passwd"), Object.create(null), ["a"]],
    (path) =>
      `refuses ${Array.isArray(path) ? "an array" : path instanceof URL ? "a URL" : path === null || typeof path !== "object" ? String(path) : "an object"} in place of a path (A8, FS-12)`,
    (path) => async (open) => {
      const fs = await open();
      // Possible for callers without types, such as the arguments of a model.
      await expectFailure(fs.read(path as string), "EINVAL", { operation: "read" });
      await expectFailure(fs.write(path as string, ""), "EINVAL", { operation: "write" });
    },
  ),
  "distinguishes names that differ only in case or Unicode form (A15, A16, A17, FS-6)": async (
    open,
  ) => {
    const fs = await open();
    const names = ["README", "readme", "\u00e9", "e\u0301", "\u00df", "ss"];
    for (const name of names) await fs.write(name, name);
    for (const name of names) assert.equal((await fs.read(name)).content, name);
    assert.equal((await fs.list()).length, names.length);
  },
  "accepts files with the names of object members (A24, FS-6, TM-9)": async (open) => {
    const fs = await open();
    const names = ["__proto__", "constructor", "hasOwnProperty", "toString"];
    for (const name of names) assert.equal(await fs.exists(name), false);
    for (const name of names) await fs.write(`${name}/${name}`, name);
    assert.deepEqual(
      (await fs.list()).map((entry) => entry.name),
      names,
    );
    assert.deepEqual(
      (await fs.glob("*")).map((match) => match.path),
      names.map((name) => `${name}/${name}`),
    );
    assert.equal((await fs.grep("toString")).length, 1);
  },
  "resolves absolute paths against the mount point, segment by segment (A4, A5, FS-7)": async (
    open,
  ) => {
    const fs = await open({ mountPoint: "/workspace" });
    assert.equal(fs.mountPoint, "/workspace");
    await fs.write("/workspace/a.txt", "1");
    assert.equal((await fs.read("a.txt")).content, "1");
    assert.deepEqual(
      (await fs.list("/workspace")).map((entry) => entry.path),
      ["a.txt"],
    );
    assert.equal((await fs.read("/workspace/x/../a.txt")).path, "a.txt");
    for (const path of [
      "/a.txt",
      "/workspacex/a.txt",
      "/workspace/../a.txt",
      "/workspace/..",
      "/",
      "\\etc",
    ])
      await expectFailure(fs.read(path), "EACCES", { path });
    await fs.write("workspace/b.txt", "2");
    assert.equal((await fs.read("/workspace/workspace/b.txt")).content, "2");
  },
  "resolves a leading slash to the root when there is no mount point (A3, FS-1)": async (open) => {
    const fs = await open();
    await fs.write("/etc/passwd", "mine");
    assert.equal((await fs.read("etc/passwd")).content, "mine");
  },
  "treats a trailing slash as a directory (A23, FS-8)": async (open) => {
    const fs = await open();
    await fs.write("f", "1");
    await fs.mkdir("d/");
    assert.equal(await fs.exists("d/"), true);
    assert.equal(await fs.exists("f/"), false);
    await expectFailure(fs.read("f/"), "ENOTDIR");
    await expectFailure(fs.stat("f/."), "ENOTDIR");
    await expectFailure(fs.write("f/", "2"), "ENOTDIR");
    await expectFailure(fs.delete("f/"), "ENOTDIR");
    await expectFailure(fs.copy("f/", "g"), "ENOTDIR");
    await expectFailure(fs.move("f", "g/"), "ENOTDIR");
    await expectFailure(fs.write("new/", "2"), "EISDIR");
    assert.deepEqual(await treeOf(fs), { d: null, f: "1" });
  },
  "allows new names of 80 characters and 255 bytes, but no longer ones (A20, FS-11)": async (
    open,
  ) => {
    const fs = await open();
    const fits = ["x".repeat(80), "é".repeat(80), "€".repeat(80), "😀".repeat(63)];
    const tooLong = ["x".repeat(81), "é".repeat(81), "😀".repeat(64), "😀".repeat(80)];
    for (const name of fits) await fs.write(`d/${name}`, "");
    for (const name of tooLong) {
      await expectFailure(fs.write(`d/${name}`, ""), "EINVAL");
      await expectFailure(fs.mkdir(`${name}/x`), "EINVAL");
      await expectFailure(fs.copy(`d/${fits[0]}`, name), "EINVAL");
      await expectFailure(fs.openWrite(name), "EINVAL");
      assert.equal(await fs.exists(name), false);
    }
    assert.deepEqual(
      (await fs.list("d")).map((entry) => entry.name),
      [...fits].sort(),
    );
    assert.deepEqual(
      (await fs.list()).map((entry) => entry.name),
      ["d"],
    );
  },
  "allows new paths of 16 segments, but no deeper ones (A21, FS-11)": async (open) => {
    const fs = await open();
    const deep = Array.from({ length: 16 }, (_, depth) => `d${depth}`).join("/");
    await fs.write(deep, "1");
    assert.equal((await fs.read(deep)).content, "1");
    await expectFailure(fs.mkdir(`x/${deep}`), "EINVAL");
    await expectFailure(fs.write(`x/${deep}`, ""), "EINVAL");
    await expectFailure(fs.move("d0", "x/d0"), "EINVAL");
    assert.equal(await fs.exists("x"), false);
  },
  "refuses a path of a million characters or segments with a short message (A21, FS-11, FS-66, TM-6)":
    async (open) => {
      const fs = await open();
      for (const path of ["x".repeat(1_000_000), "x/".repeat(500_000)]) {
        await expectFailure(fs.write(path, ""), path.endsWith("/") ? "EISDIR" : "EINVAL");
        assert.equal(await fs.exists(path), false);
        await expectFailure(fs.read(path), "ENOENT");
      }
      await expectFailure(fs.read(`${"a/".repeat(1000)}${"../".repeat(1001)}x`), "EACCES");
      await expectFailure(fs.exists("x/".repeat(5_000_000)), "EINVAL");
    },
  "refuses new names that are reserved for temporary files or for names that are not valid text (FS-11)":
    async (open) => {
      const fs = await open();
      await expectFailure(fs.write(".wink-tmp-x", ""), "EACCES", { operation: "write" });
      await expectFailure(fs.writeBytes("/a/../d/.wink-tmp-", new Uint8Array()), "EACCES", {
        operation: "writeBytes",
        path: "/a/../d/.wink-tmp-",
      });
      await expectFailure(fs.mkdir("d/.wink-tmp-x/e"), "EACCES");
      await expectFailure(fs.write("\u{10ff41}", ""), "EINVAL");
      await fs.write("\u{10ffff}", "a byte");
      await fs.write("wink-tmp-.wink-tmp-", "a name like others");
      await expectFailure(fs.move("\u{10ffff}", ".wink-tmp-x"), "EACCES");
      assert.deepEqual(
        (await fs.list()).map(({ name }) => name),
        ["wink-tmp-.wink-tmp-", "\u{10ffff}"],
      );
    },
  "refuses changes in .git, whatever its spelling (FS-10, TM-8)": async (open) => {
    const fs = await open();
    await fs.write("d/config", "hooks");
    const spelt = [
      ".git",
      ".GIT",
      "sub/.git",
      "GIT~1",
      ".git.",
      ".git ",
      ".g\u200cit",
      ".git::$INDEX_ALLOCATION",
    ];
    for (const name of spelt) {
      await expectFailure(fs.write(`${name}/config`, ""), "EACCES");
      await expectFailure(fs.write(name, ""), "EACCES");
      await expectFailure(fs.mkdir(`${name}/hooks`), "EACCES");
      await expectFailure(fs.copy("d", name), "EACCES");
      await expectFailure(fs.move("d", name), "EACCES");
      await expectFailure(fs.openWrite(`${name}/x`), "EACCES");
      await expectFailure(fs.delete(name, { recursive: true }), "EACCES");
    }
    assert.deepEqual(await treeOf(fs), { d: null, "d/config": "hooks" });
  },
  "allows names that only resemble .git (FS-10)": async (open) => {
    const fs = await open();
    const names = [".gitignore", ".gitattributes", ".github", "git", "a.git", "git~2", ".git-x"];
    for (const name of names) await fs.write(name, "");
    assert.equal((await fs.list()).length, names.length);
  },
  "allows changes in .git when the option is set (FS-10)": async (open) => {
    const fs = await open({ allowGit: true });
    await fs.write("r/.git/config", "mine");
    await fs.move("r", "s");
    assert.equal((await fs.read("s/.git/config")).content, "mine");
  },
});

import { execFileSync, spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { type Filesystem, InMemoryFilesystem, paths } from "@wink/filesystem";
import { HostFilesystem } from "@wink/filesystem/host";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HostMount } from "../mount/host-mount.js";
import { contentsOf, makeHost, mountTree } from "../mount/mount-fixture.test.support.js";
import { readTree, scratchDirectory, writeTree } from "../mount/tree-fixture.test.support.js";
import { mountHost } from "./mount-host.js";

const reasons = (leftOut: readonly { path: string; reason: string }[]) =>
  Object.fromEntries(leftOut.map(({ path, reason }) => [path, reason]));

describe("a mount", () => {
  const host = () => {
    const made = makeHost({ "src/a.ts": "a" });
    writeTree(made.outside, { "secret.txt": "secret" });
    mkdirSync(`${made.root}-evil`);
    symlinkSync(made.outside, join(made.root, "link"));
    symlinkSync(made.root, join(made.outside, "way-in"));
    return made;
  };

  it.each<{ what: string; hostPath: (root: string) => string; code: string; followed?: string }>([
    { what: "a path outside", hostPath: (root) => join(root, "../outside"), code: "EACCES" },
    { what: "a relative path that escapes the root", hostPath: () => "../outside", code: "EACCES" },
    {
      what: "a path with .. segments that escapes the root",
      hostPath: () => "src/../../outside",
      code: "EACCES",
    },
    {
      what: "a sibling whose name has the same prefix",
      hostPath: (root) => `${root}-evil`,
      code: "EACCES",
    },
    { what: "the system's files", hostPath: () => "/etc/passwd", code: "EACCES" },
    // A followed link to the outside gives the same code as a dangling one, so the code reveals nothing about the
    // outside.
    {
      what: "a link that escapes the root",
      hostPath: () => "link",
      code: "EACCES",
      followed: "ENOENT",
    },
    {
      what: "a file behind such a link",
      hostPath: () => "link/secret.txt",
      code: "EACCES",
      followed: "ENOENT",
    },
    {
      what: "a missing file behind such a link",
      hostPath: () => "link/missing.txt",
      code: "EACCES",
      followed: "ENOENT",
    },
    { what: "a NUL", hostPath: () => "src\0", code: "EINVAL" },
    { what: "an empty path", hostPath: () => "", code: "EINVAL" },
    { what: "a missing path", hostPath: () => "missing/x", code: "ENOENT" },
    { what: "something below a file", hostPath: () => "src/a.ts/b", code: "ENOENT" },
  ])("refuses $what (G183)", async ({ hostPath, code, followed = code }) => {
    const { root, outside, options } = host();
    for (const followSymlinks of [false, true]) {
      const filesystem = new InMemoryFilesystem();
      const mount = { hostPath: hostPath(root), followSymlinks };
      const error = await mountHost(filesystem, [mount], options).catch((caught) => caught);
      expect(error).toMatchObject({
        name: "FilesystemError",
        code: followSymlinks ? followed : code,
      });
      expect(error.message.replaceAll(mount.hostPath, "")).not.toContain(outside);
      expect(await contentsOf(filesystem)).toEqual({});
    }
  });

  it("refuses everything when allowedHostRoots is empty, and names that option (G183, SN-20)", async () => {
    const { root, options } = host();
    const mounting = mountHost(new InMemoryFilesystem(), [{ hostPath: root }], {
      ...options,
      allowedHostRoots: [],
    });
    await expect(mounting).rejects.toMatchObject({
      code: "EACCES",
      message: expect.stringContaining("allowedHostRoots"),
    });
  });

  it("resolves relative paths against the allowed root, not the working directory (G183)", async () => {
    const { root, outside, options } = host();
    const before = process.cwd();
    process.chdir(outside);
    onTestFinished(() => process.chdir(before));
    const relative = mountHost(new InMemoryFilesystem(), [{ hostPath: "secret.txt" }], options);
    await expect(relative).rejects.toMatchObject({ code: "ENOENT" });
    const filesystem = new InMemoryFilesystem();
    await mountHost(filesystem, [{ hostPath: "src" }], { ...options, allowedHostRoots: [root] });
    expect(await contentsOf(filesystem)).toEqual({ "src/a.ts": "a" });
  });

  it("accepts an allowed root that is a link to a directory (G183)", async () => {
    const { outside, options } = host();
    const filesystem = new InMemoryFilesystem();
    await mountHost(filesystem, [{ hostPath: "src" }], {
      ...options,
      allowedHostRoots: [join(outside, "way-in")],
    });
    expect(await contentsOf(filesystem)).toEqual({ "src/a.ts": "a" });
  });
});

describe("the workspace path of a mount", () => {
  it.each<{ mount: HostMount; appears: Record<string, string> }>([
    { mount: { hostPath: "src" }, appears: { "src/a.ts": "a", "src/deep/b.ts": "b" } },
    { mount: { hostPath: "./src//deep/." }, appears: { "src/deep/b.ts": "b" } },
    {
      mount: { hostPath: "." },
      appears: { "README.md": "r", "src/a.ts": "a", "src/deep/b.ts": "b" },
    },
    { mount: { hostPath: "README.md" }, appears: { "README.md": "r" } },
    { mount: { hostPath: "src/deep/b.ts" }, appears: { "src/deep/b.ts": "b" } },
    { mount: { hostPath: "src/deep", mountPath: "/x/y" }, appears: { "x/y/b.ts": "b" } },
    { mount: { hostPath: "src/deep", mountPath: "/" }, appears: { "b.ts": "b" } },
    {
      mount: { hostPath: "README.md", mountPath: "docs/read.me" },
      appears: { "docs/read.me": "r" },
    },
    { mount: { hostPath: "README.md", mountPath: "docs/" }, appears: { "docs/README.md": "r" } },
  ])("is correct for $mount (G189)", async ({ mount, appears }) => {
    const { filesystem } = await mountTree(
      { "README.md": "r", "src/a.ts": "a", "src/deep/b.ts": "b" },
      mount,
    );
    expect(await contentsOf(filesystem)).toEqual(appears);
  });

  it.each<{ what: string; mounts: HostMount[]; code: string }>([
    {
      what: "outside the workspace",
      mounts: [{ hostPath: "a", mountPath: "../x" }],
      code: "EACCES",
    },
    { what: "inside .git", mounts: [{ hostPath: "a", mountPath: "x/.git/hooks" }], code: "EACCES" },
    {
      what: "with a control character",
      mounts: [{ hostPath: "a", mountPath: "x\n" }],
      code: "EINVAL",
    },
    {
      what: "the path of another mount",
      mounts: [
        { hostPath: "a", mountPath: "x" },
        { hostPath: "b", mountPath: "/x/" },
      ],
      code: "EINVAL",
    },
    {
      what: "inside another mount",
      mounts: [{ hostPath: "a" }, { hostPath: "b", mountPath: "a/b" }],
      code: "EINVAL",
    },
    {
      what: "below a mount of the root",
      mounts: [{ hostPath: "." }, { hostPath: "a" }],
      code: "EINVAL",
    },
    {
      what: "an existing file",
      mounts: [{ hostPath: "b" }, { hostPath: "a", mountPath: "there" }],
      code: "EEXIST",
    },
    {
      what: "an existing directory that has a file of the same name",
      mounts: [{ hostPath: "b" }, { hostPath: "a", mountPath: "kept" }],
      code: "EEXIST",
    },
    {
      what: "an existing link to a directory",
      mounts: [{ hostPath: "b" }, { hostPath: "a", mountPath: "link" }],
      code: "EEXIST",
    },
    {
      what: "an existing link to nothing",
      mounts: [{ hostPath: "b" }, { hostPath: "a", mountPath: "dangling" }],
      code: "EEXIST",
    },
  ])("is never $what (G189)", async ({ mounts, code }) => {
    const { options } = makeHost({ "a/one.txt": "1", "a/two.txt": "2", "b/three.txt": "3" });
    for (const filesystem of await targets()) {
      await filesystem.write("there", "file");
      await filesystem.write("kept/two.txt", "kept");
      await filesystem.symlink("kept", "link");
      await filesystem.symlink("nowhere", "dangling");
      await expect(mountHost(filesystem, mounts, options)).rejects.toMatchObject({ code });
      for (const link of ["link", "dangling"]) await filesystem.delete(link);
      expect(await contentsOf(filesystem)).toEqual({ there: "file", "kept/two.txt": "kept" });
    }
  });

  it("may be an existing directory, which gets the files too (G189)", async () => {
    const { options } = makeHost({ "a/one.txt": "1", "a/sub/x": "x" });
    for (const filesystem of await targets()) {
      await filesystem.write("a/own.txt", "own");
      await mountHost(filesystem, [{ hostPath: "a" }], options);
      expect(await contentsOf(filesystem)).toEqual({
        "a/one.txt": "1",
        "a/own.txt": "own",
        "a/sub/x": "x",
      });
    }
  });
});

/** An empty workspace of each kind. */
async function targets(): Promise<Filesystem[]> {
  const host = await HostFilesystem.open(scratchDirectory(), { fsync: false });
  const limited = await HostFilesystem.open(scratchDirectory(), {
    fsync: false,
    quotas: { maxTotalBytes: 1e6 },
  });
  onTestFinished(async () => {
    await host.close();
    await limited.close();
  });
  return [new InMemoryFilesystem(), host, limited];
}

it("a mount copies bytes, execute bits, empty directories and unusual names exactly (G186)", async () => {
  const odd = paths.shownName(Uint8Array.of(0x66, 0xff, 0x0a));
  const tree = {
    "bin/run": { program: "#!/bin/sh\n" },
    "data.bin": Uint8Array.from({ length: 70_000 }, (_, index) => index % 256),
    "empty/inner": { directory: true },
    "née/ü b": "text",
    [odd]: "bytes",
  } as const;
  const { root, options } = makeHost(tree);
  for (const filesystem of await targets()) {
    const { report } = await mountHost(filesystem, [{ hostPath: "." }], options);
    expect(report).toMatchObject({
      fileCount: 4,
      directoryCount: 4,
      leftOut: [],
      totalBytes: 70_019,
    });
    expect([...(await filesystem.readBytes("data.bin")).content]).toEqual([...tree["data.bin"]]);
    expect((await filesystem.stat("bin/run")).mode & 0o111).not.toBe(0);
    expect((await filesystem.stat("née/ü b")).mode & 0o111).toBe(0);
    expect((await filesystem.stat("empty/inner")).isDirectory).toBe(true);
    expect((await filesystem.read(odd)).content).toBe("bytes");
    if (filesystem instanceof HostFilesystem)
      expect(readTree(filesystem.root, { directories: true })).toEqual(
        readTree(root, { directories: true }),
      );
  }
});

describe("symbolic links", () => {
  const host = () => {
    const made = makeHost({
      "real/file.txt": "real",
      "real/.env": "TOKEN=1",
      "to-file": { link: "real/file.txt" },
      "to-directory": { link: "real" },
      dangling: { link: "nowhere" },
      loop: { link: "loop" },
      "real/up": { link: ".." },
      "to-secret": { link: "real/.env" },
      out: { link: "../outside/secret.txt" },
      "out-directory": { link: "../outside" },
      absolute: { link: "/etc/passwd" },
    });
    writeTree(made.outside, { "secret.txt": "secret" });
    return made;
  };

  it("are mounted as links, except for links that point outside (G184)", async () => {
    const { options } = host();
    const filesystem = new InMemoryFilesystem();
    const { report } = await mountHost(filesystem, [{ hostPath: "." }], options);
    const links = ["dangling", "loop", "real/up", "to-directory", "to-file", "to-secret"];
    const targets = await Promise.all(links.map((path) => filesystem.readlink(path)));
    expect(targets).toEqual(["nowhere", "loop", "..", "real", "real/file.txt", "real/.env"]);
    expect((await filesystem.read("to-directory/file.txt")).content).toBe("real");
    expect(reasons(report.leftOut)).toEqual({
      absolute: "symlink",
      out: "symlink",
      "out-directory": "symlink",
      "real/.env": "secret",
    });
  });

  it("are followed on request, but not out of the allowed roots, in loops or to secrets (G184)", async () => {
    const { options } = host();
    const filesystem = new InMemoryFilesystem();
    const mount = { hostPath: ".", followSymlinks: true };
    const { report } = await mountHost(filesystem, [mount], options);
    expect(await contentsOf(filesystem)).toEqual({
      "real/file.txt": "real",
      "to-directory/file.txt": "real",
      "to-file": "real",
    });
    expect(reasons(report.leftOut)).toEqual({
      absolute: "link-out",
      dangling: "link-out",
      loop: "link-out",
      out: "link-out",
      "out-directory": "link-out",
      "real/.env": "secret",
      "real/up": "link-out",
      "to-directory/.env": "secret",
      "to-directory/up": "link-out",
      "to-secret": "secret",
    });
  });

  it("can point into another allowed root (G184)", async () => {
    const { root, outside, options } = host();
    const filesystem = new InMemoryFilesystem();
    const mount = {
      hostPath: join(root, "out-directory"),
      followSymlinks: true,
      includeSecrets: true,
      mountPath: "x",
    };
    await mountHost(filesystem, [mount], { ...options, allowedHostRoots: [root, outside] });
    expect(await contentsOf(filesystem)).toEqual({ "x/secret.txt": "secret" });
  });
});

describe("a process that swaps files for links during the copy", () => {
  it("never gets a byte from outside the allowed root into the copy (G185)", async () => {
    const made = makeHost(
      Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`d${index}/f`, "inside"])),
    );
    writeTree(made.outside, { f: "SECRET" });
    const swapper = spawnSwapper(made.root, made.outside);
    onTestFinished(() => {
      swapper.kill("SIGKILL");
    });
    for (let round = 0; round < 60; round++) {
      const filesystem = new InMemoryFilesystem();
      await mountHost(filesystem, [{ hostPath: "." }], made.options);
      for (const content of Object.values(await contentsOf(filesystem)))
        expect([true, "inside"]).toContain(content);
    }
  });
});

/** Replaces directories and files by links to the outside and back, as fast as possible. */
function spawnSwapper(root: string, outside: string) {
  const program = `
    const fs = require("node:fs");
    for (let i = 0; ; i = (i + 1) % 40) {
      const d = ${JSON.stringify(root)} + "/d" + i;
      try { fs.renameSync(d, d + ".away"); fs.symlinkSync(${JSON.stringify(outside)}, d); } catch {}
      try { fs.unlinkSync(d); fs.renameSync(d + ".away", d); } catch {}
      try { fs.renameSync(d + "/f", d + "/g"); fs.symlinkSync(${JSON.stringify(outside)} + "/f", d + "/f"); } catch {}
      try { fs.unlinkSync(d + "/f"); fs.renameSync(d + "/g", d + "/f"); } catch {}
    }`;
  return spawn(process.execPath, ["-e", program], { stdio: "ignore" });
}

describe("limits", () => {
  const tree = { "a.txt": "12345", "b.txt": "67890", "c.txt": "" };

  it.each([
    { limit: { maxBytes: 10 }, fits: true },
    { limit: { maxBytes: 9 }, fits: false },
    { limit: { maxFiles: 3 }, fits: true },
    { limit: { maxFiles: 2 }, fits: false },
  ])("$limit hold exactly (G186)", async ({ limit, fits }) => {
    const { options } = makeHost(tree);
    for (const filesystem of await targets()) {
      const mounting = mountHost(filesystem, [{ hostPath: ".", ...limit }], options);
      if (fits) await mounting;
      else await expect(mounting).rejects.toMatchObject({ code: "EFBIG" });
      expect(await contentsOf(filesystem)).toEqual(fits ? tree : {});
    }
  });

  it("count the full size of a sparse file, before memory is allocated for it (G186)", async () => {
    const { root, options } = makeHost({ sparse: "" });
    truncateSync(join(root, "sparse"), 8 * 2 ** 40);
    const mounting = mountHost(new InMemoryFilesystem(), [{ hostPath: "." }], options);
    await expect(mounting).rejects.toMatchObject({ code: "EFBIG", path: "." });
  });

  it("leave out single files that are too large (G186)", async () => {
    const { filesystem, workspace } = await mountTree(tree, { maxFileBytes: 4 });
    expect(await contentsOf(filesystem)).toEqual({ "c.txt": "" });
    expect(reasons(workspace.report.leftOut)).toEqual({
      "a.txt": "too-large",
      "b.txt": "too-large",
    });
  });

  it("of the workspace make the whole mount fail (G186, SN-21)", async () => {
    const { options } = makeHost(tree);
    for (const quotas of [{ maxTotalBytes: 9 }, { maxNodeCount: 2 }, { maxFileBytes: 4 }]) {
      const filesystem = new InMemoryFilesystem({ quotas });
      await expect(mountHost(filesystem, [{ hostPath: "." }], options)).rejects.toMatchObject({
        code: "EDQUOT",
      });
      expect(await contentsOf(filesystem)).toEqual({});
    }
  });

  it("on names and depth are for tools: existing files are mounted whatever their name (G186, WS-14)", async () => {
    const deep = Array.from({ length: 17 }, (_, index) => `d${index}`).join("/");
    const { workspace, filesystem } = await mountTree({
      [deep]: "deep",
      ["n".repeat(200)]: "long",
    });
    expect(reasons(workspace.report.leftOut)).toEqual({});
    expect((await filesystem.read(deep)).content).toBe("deep");
    expect((await filesystem.read("n".repeat(200))).content).toBe("long");
  });

  it("include a read-only workspace, which rejects every mount", async () => {
    const { options } = makeHost(tree);
    const filesystem = new InMemoryFilesystem({ readOnly: true });
    await expect(mountHost(filesystem, [{ hostPath: "." }], options)).rejects.toMatchObject({
      code: "EROFS",
    });
  });

  it.each([
    [-1, "EINVAL"],
    [1.5, "EINVAL"],
    [Number.NaN, "INVALID_OPTION"],
  ])("cannot be %s", async (maxBytes, code) => {
    await expect(mountTree(tree, { maxBytes })).rejects.toMatchObject({ code });
  });
});

describe("patterns", () => {
  const tree = {
    "a.py": "",
    "deep/b.py": "",
    "deep/c.ts": "",
    "dist/x.js": "",
    "deep/dist/y.js": "",
    "dist/sub/z.js": "",
    ".hidden/d.py": "",
    "UPPER.PY": "",
  };

  it.each<{ mount: Partial<HostMount>; files: string[] }>([
    { mount: { includeGlob: ["*.py"] }, files: [".hidden/d.py", "a.py", "deep/b.py"] },
    { mount: { includeGlob: ["deep/*"] }, files: ["deep/b.py", "deep/c.ts"] },
    { mount: { includeGlob: ["deep/**"] }, files: ["deep/b.py", "deep/c.ts", "deep/dist/y.js"] },
    {
      mount: { excludeGlob: ["dist/*"] },
      files: [".hidden/d.py", "UPPER.PY", "a.py", "deep/b.py", "deep/c.ts"],
    },
    {
      mount: { excludeGlob: ["dist"] },
      files: [".hidden/d.py", "UPPER.PY", "a.py", "deep/b.py", "deep/c.ts"],
    },
    {
      mount: { excludeGlob: ["**/*.py", "UPPER.*"], includeGlob: ["*.{py,ts}"] },
      files: ["deep/c.ts"],
    },
    { mount: { includeGlob: ["a.py"], excludeGlob: ["a.py"] }, files: [] },
    {
      mount: { includeGlob: [] },
      files: [
        ".hidden/d.py",
        "UPPER.PY",
        "a.py",
        "deep/b.py",
        "deep/c.ts",
        "deep/dist/y.js",
        "dist/sub/z.js",
        "dist/x.js",
      ],
    },
  ])("$mount copy $files (G187)", async ({ mount, files }) => {
    const { filesystem } = await mountTree(tree, mount);
    const found = await contentsOf(filesystem);
    expect(
      Object.keys(found)
        .filter((path) => found[path] !== true)
        .sort(),
    ).toEqual(files);
  });

  it("are the reason in the report for what they leave out, with one entry per directory (G187)", async () => {
    const { workspace } = await mountTree(tree, {
      includeGlob: ["*.py", "*.js"],
      excludeGlob: ["dist"],
    });
    expect(workspace.report.leftOut).toEqual([
      { path: "UPPER.PY", reason: "not-included", isDirectory: false },
      { path: "deep/c.ts", reason: "not-included", isDirectory: false },
      { path: "deep/dist", reason: "excluded", isDirectory: true },
      { path: "dist", reason: "excluded", isDirectory: true },
    ]);
  });

  it.each(["!a.py", "", "../x", "/abs", "a/"])(
    "with unsupported syntax are refused: %j (G187)",
    async (pattern) => {
      const code = pattern === "../x" ? "EACCES" : "EINVAL";
      for (const mount of [{ includeGlob: [pattern] }, { excludeGlob: [pattern] }])
        await expect(mountTree(tree, mount)).rejects.toMatchObject({ code });
    },
  );

  it("never copy a .git, at any depth (G187)", async () => {
    const { filesystem, workspace } = await mountTree({
      ".git/config": "",
      "sub/.git": "gitdir: ../.git",
      "sub/.GIT/x": "",
      "sub/ok": "ok",
      ".gitignore": "nothing",
    });
    expect(await contentsOf(filesystem)).toEqual({ "sub/ok": "ok", ".gitignore": "nothing" });
    expect(reasons(workspace.report.leftOut)).toEqual({
      ".git": "git",
      "sub/.git": "git",
      "sub/.GIT": "git",
    });
  });
});

describe("gitignore: true", () => {
  it("copies no file that git ignores (G187)", async () => {
    const { root, options } = makeHost({
      ".gitignore": "*.log\n/build/\n!keep.log\n",
      "a.log": "",
      "keep.log": "",
      "build/x": "",
      "src/build/y": "",
      "src/.gitignore": "*.tmp\n!/b.tmp\nz/**\n",
      "src/a.tmp": "",
      "src/b.tmp": "",
      "src/z/q": "",
      "private.txt": "",
      "src/ok.ts": "",
    });
    execFileSync("git", ["init", "-q"], { cwd: root });
    mkdirSync(join(root, ".git/info"), { recursive: true });
    writeFileSync(join(root, ".git/info/exclude"), "private.txt\n");
    const filesystem = new InMemoryFilesystem();
    const { report } = await mountHost(filesystem, [{ hostPath: ".", gitignore: true }], options);
    const { stdout } = spawnSync("git", ["ls-files", "-o", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
    });
    const found = await contentsOf(filesystem);
    expect(Object.keys(found).filter((path) => found[path] !== true)).toEqual(
      stdout.trim().split("\n"),
    );
    expect(reasons(report.leftOut)).toMatchObject({
      build: "ignored",
      "a.log": "ignored",
      "private.txt": "ignored",
    });
  });

  it("also uses the rules above the mounted directory (G187)", async () => {
    const tree = {
      ".gitignore": "*.log\nsrc/gen/\n",
      "src/a.ts": "a",
      "src/b.log": "",
      "src/gen/c": "",
    };
    const { filesystem } = await mountTree(tree, { hostPath: "src", gitignore: true });
    expect(await contentsOf(filesystem)).toEqual({ "src/a.ts": "a" });
    const { workspace } = await mountTree(tree, { hostPath: "src/gen", gitignore: true });
    expect(reasons(workspace.report.leftOut)).toEqual({ "src/gen": "ignored" });
  });
});

describe("an entry that cannot be copied", () => {
  it("is left out and listed, and never blocks the mount: FIFOs, sockets (G188)", async () => {
    const { root, options } = makeHost({ "ok.txt": "ok", "sub/x": "x" });
    execFileSync("mkfifo", [join(root, "fifo"), join(root, "sub/fifo")]);
    const filesystem = new InMemoryFilesystem();
    const { report } = await mountHost(filesystem, [{ hostPath: "." }], options);
    expect(reasons(report.leftOut)).toEqual({ fifo: "special", "sub/fifo": "special" });
    expect(await contentsOf(filesystem)).toEqual({ "ok.txt": "ok", "sub/x": "x" });
    const alone = mountHost(new InMemoryFilesystem(), [{ hostPath: "fifo" }], options);
    await expect(alone).rejects.toMatchObject({ code: "EACCES" });
  });

  it("is left out and listed: files and directories without read permission (G188)", async () => {
    const { root, options } = makeHost({ "ok.txt": "ok", "closed.txt": "x", "closed/y": "y" });
    chmodSync(join(root, "closed.txt"), 0);
    chmodSync(join(root, "closed"), 0);
    for (const folder of [dirname(root), root]) chmodSync(folder, 0o755);
    // Root can read everything, so switch to another user for a while.
    const user = process.geteuid?.();
    if (user === 0) process.seteuid?.(65_534);
    onTestFinished(() => {
      if (user === 0) process.seteuid?.(0);
      chmodSync(join(root, "closed"), 0o755);
    });
    const given = { ...options, trackChanges: false };
    const { report } = await mountHost(new InMemoryFilesystem(), [{ hostPath: "." }], given);
    expect(reasons(report.leftOut)).toEqual({ closed: "unreadable", "closed.txt": "unreadable" });
  });

  it("is a file with several hard links, if rejectHardlinks is set (G188)", async () => {
    const { root, outside, options } = makeHost({ "ok.txt": "ok" });
    writeFileSync(join(outside, "elsewhere"), "elsewhere");
    linkSync(join(outside, "elsewhere"), join(root, "hard"));
    const { report } = await mountHost(new InMemoryFilesystem(), [{ hostPath: "." }], {
      ...options,
      rejectHardlinks: true,
    });
    expect(reasons(report.leftOut)).toEqual({ hard: "hardlink" });
  });
});

it("a mount is a copy that later changes on the host do not affect (G191)", async () => {
  const { host, filesystem, workspace } = await mountTree({
    "a.txt": "mounted",
    "b/c.txt": "mounted",
  });
  writeFileSync(join(host.root, "a.txt"), "changed");
  renameSync(join(host.root, "b"), join(host.root, "moved"));
  rmSync(join(host.root, "moved"), { recursive: true });
  expect(await contentsOf(filesystem)).toEqual({ "a.txt": "mounted", "b/c.txt": "mounted" });
  expect(await workspace.changes().files()).toEqual([]);
});

it("a mount leaves the host unchanged and reports its progress", async () => {
  const { root, options } = makeHost(
    Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`${index}`, "x"])),
  );
  const before = readTree(root, { directories: true });
  const heard: number[] = [];
  const onProgress = ({ fileCount }: { fileCount: number }) => heard.push(fileCount);
  await mountHost(new InMemoryFilesystem(), [{ hostPath: "." }], { ...options, onProgress });
  expect(heard.at(-1)).toBe(300);
  expect(readTree(root, { directories: true })).toEqual(before);
});

it("an aborted mount stops and leaves nothing behind", async () => {
  const { options } = makeHost({ a: "1", b: "2" });
  for (const filesystem of await targets()) {
    const controller = new AbortController();
    const onProgress = () => controller.abort(new Error("enough"));
    const mounting = mountHost(filesystem, [{ hostPath: "a" }, { hostPath: "b" }], {
      ...options,
      onProgress,
      signal: controller.signal,
    });
    await expect(mounting).rejects.toThrow("enough");
    expect(await contentsOf(filesystem)).toEqual({});
    if (filesystem instanceof HostFilesystem) expect(readTree(filesystem.root)).toEqual({});
  }
});

it("a mount stores no state to compare with when trackChanges is off", async () => {
  const { options } = makeHost({ a: "1" });
  const filesystem = new InMemoryFilesystem();
  const workspace = await mountHost(filesystem, [{ hostPath: "." }], {
    ...options,
    trackChanges: false,
  });
  expect(() => workspace.changes()).toThrow(expect.objectContaining({ code: "EINVAL" }));
  expect(await filesystem.snapshots()).toEqual([]);
});

import { execFileSync } from "node:child_process";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { hostileSurroundings } from "./hostile-surroundings.test.support.js";
import { bench, manifest, putFile, runGit } from "./store-fixture.test.support.js";

// git is never started, so its settings must not matter. Set hostile ones to prove it.
beforeAll(hostileSurroundings);

interface Fixture {
  readonly title: string;
  readonly build: (directory: string) => void;
  readonly change: (directory: string) => void;
}

const nothing = () => {};
const fixtures: readonly Fixture[] = [
  {
    title: "ignored files are captured and restored (D93)",
    build(directory) {
      putFile(join(directory, ".gitignore"), "*\n!.gitignore\n");
      putFile(join(directory, ".git/info/exclude"), "*\n");
      putFile(join(directory, ".env"), "SECRET=1\n");
      putFile(join(directory, "node_modules/a/index.js"), "1\n");
    },
    change(directory) {
      rmSync(join(directory, "node_modules"), { recursive: true });
      putFile(join(directory, ".env"), "gone");
    },
  },
  {
    title: "a .gitignore that is created or changed after the snapshot has no effect (D94)",
    build: (directory) => putFile(join(directory, "kept.log"), "1"),
    change(directory) {
      putFile(join(directory, ".gitignore"), "*.log\nnew\n");
      putFile(join(directory, "kept.log"), "2");
      putFile(join(directory, "new"), "3");
    },
  },
  {
    title: "empty directories are restored, nested ones too (D96)",
    build: (directory) => mkdirSync(join(directory, "a/b/c"), { recursive: true }),
    change: (directory) => rmSync(join(directory, "a"), { recursive: true }),
  },
  {
    title: "a nested repository with commits is plain data (D97)",
    build: (directory) => commitInto(join(directory, "nested")),
    change(directory) {
      putFile(join(directory, "nested/.git/HEAD"), "ref: refs/heads/other\n");
      rmSync(join(directory, "nested/.git/objects"), { recursive: true });
    },
  },
  {
    title: "a nested repository without commits does not prevent a snapshot (D98)",
    build: (directory) => initInto(join(directory, "nested")),
    change: (directory) => rmSync(join(directory, "nested/.git"), { recursive: true }),
  },
  {
    title: "a nested repository or gitfile created after the snapshot is removed (D99)",
    build: (directory) => putFile(join(directory, "src/a"), "1"),
    change(directory) {
      initInto(join(directory, "src"));
      putFile(join(directory, "other/.git"), "gitdir: /elsewhere\n");
    },
  },
  {
    title: "submodules and the commands in their configuration have no effect (D100)",
    build(directory) {
      const hostile = '[submodule "x"]\n\tpath = x\n\turl = ext::sh -c false\n\tupdate = !false\n';
      putFile(join(directory, ".gitmodules"), hostile);
      putFile(join(directory, "x/.git"), "gitdir: ../.git/modules/x\n");
    },
    change: (directory) => rmSync(join(directory, ".gitmodules")),
  },
  {
    title: "hostile configuration of the workspace's own repository is not read (D101)",
    build(directory) {
      initInto(directory);
      putFile(
        join(directory, ".git/config"),
        "[core]\n\tfsmonitor = false; touch /tmp/fired\n\tbare = nonsense\n",
      );
    },
    change: (directory) => putFile(join(directory, ".git/config"), "[broken"),
  },
  {
    title: "git attributes do not change a byte (D104)",
    build(directory) {
      const attributes =
        "*.txt text eol=crlf ident\n*.u16 working-tree-encoding=UTF-16\n*.bad working-tree-encoding=nonsense\n* filter=lfs\n*.x export-subst\n[attr]odd -text\n";
      putFile(join(directory, ".gitattributes"), attributes);
      putFile(join(directory, "a.txt"), "one\r\ntwo\n$Id$\n");
      putFile(join(directory, "b.u16"), Buffer.from("\ufeffodd", "utf16le"));
      putFile(join(directory, "c.bad"), Buffer.from([0, 255, 13, 10]));
      putFile(join(directory, "d.x"), "$Format:%H$\n");
    },
    change(directory) {
      putFile(join(directory, ".gitattributes"), "* text\n");
      putFile(join(directory, "a.txt"), "one\ntwo\n");
    },
  },
  {
    title: "LFS pointers are plain files (D105)",
    build(directory) {
      putFile(join(directory, ".gitattributes"), "*.bin filter=lfs diff=lfs merge=lfs -text\n");
      putFile(
        join(directory, "a.bin"),
        "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n",
      );
    },
    change: (directory) => putFile(join(directory, "a.bin"), Buffer.alloc(5000, 7)),
  },
  {
    title: "a change of the execute bit alone is restored (D111)",
    build(directory) {
      putFile(join(directory, "run"), "#!/bin/sh\n");
      chmodSync(join(directory, "run"), 0o755);
      putFile(join(directory, "plain"), "1");
    },
    change(directory) {
      chmodSync(join(directory, "run"), 0o644);
      chmodSync(join(directory, "plain"), 0o755);
    },
  },
  {
    title: "links of every kind are restored as links (D113)",
    build(directory) {
      mkdirSync(join(directory, "d"));
      const links = {
        relative: "d/x",
        absolute: "/etc/passwd",
        dangling: "nowhere",
        folder: "d",
        self: "self",
      };
      for (const [name, target] of Object.entries(links))
        symlinkSync(target, join(directory, name));
      symlinkSync(Buffer.from([0xff, 0x0a, 0x20]), join(directory, "odd"));
    },
    change(directory) {
      for (const name of ["relative", "self", "odd"]) rmSync(join(directory, name));
      symlinkSync("elsewhere", join(directory, "relative"));
      rmSync(join(directory, "folder"));
      putFile(join(directory, "folder/x"), "1");
    },
  },
  {
    title: "unusual names are restored byte for byte (D114)",
    build(directory) {
      const names = [
        "new\nline",
        "tab\t",
        "quote\"'",
        "-dash",
        "*",
        "trailing ",
        ".GIT",
        "git~1",
        ".git.",
        ".git ",
      ];
      for (const name of [
        ...names,
        ".g\u200cit",
        "CON",
        "_wink_.git",
        "_wink_%25",
        "a\\.git\\b",
        "%5C",
        "GITMOD~1",
        "gi7eba~1",
      ])
        putFile(join(directory, name, "inner"), name);
      putRaw(directory, Buffer.from([0xff, 0xfe, 0x2e]), "not UTF-8");
      putRaw(directory, Buffer.from([0xc3]), "cut off");
      putRaw(directory, Buffer.concat([Buffer.from(".git"), Buffer.from([0x80])]), "nearly");
    },
    change: (directory) => rmSync(directory, { recursive: true }),
  },
  {
    title: "names that differ only in case or in composition are different files (D115)",
    build(directory) {
      for (const name of ["é", "e\u0301", "readme", "README"]) putFile(join(directory, name), name);
    },
    change(directory) {
      for (const name of ["é", "readme"]) rmSync(join(directory, name));
    },
  },
  {
    title: "a change of kind is restored and nothing outside is changed (D116)",
    build(directory) {
      putFile(join(directory, "file"), "1");
      putFile(join(directory, "folder/inner/x"), "2");
      putFile(join(directory, "folder2/x"), "3");
      putFile(join(directory, "folder3/x"), "4");
      putFile(join(directory, "file2"), "5");
    },
    change(directory) {
      rmSync(join(directory, "file"));
      putFile(join(directory, "file/now/deep"), "1");
      putFile(join(directory, "folder"), "a file");
      rmSync(join(directory, "folder2"), { recursive: true });
      symlinkSync("..", join(directory, "folder2"));
      rmSync(join(directory, "file2"));
      symlinkSync("/etc/passwd", join(directory, "file2"));
      rmSync(join(directory, "folder3"), { recursive: true });
      execFileSync("mkfifo", [join(directory, "folder3")]);
    },
  },
  {
    title: "read-only files and directories are restored (D118)",
    build(directory) {
      putFile(join(directory, "locked/inner/file"), "1");
      chmodSync(join(directory, "locked/inner/file"), 0o444);
      chmodSync(join(directory, "locked/inner"), 0o555);
      chmodSync(join(directory, "locked"), 0o555);
    },
    change(directory) {
      chmodSync(join(directory, "locked"), 0o755);
      rmSync(join(directory, "locked"), { recursive: true });
      putFile(join(directory, "new/deep/x"), "1");
      chmodSync(join(directory, "new/deep"), 0o555);
      chmodSync(join(directory, "new"), 0o555);
    },
  },
  {
    title: "a change with the same size and the old mtime is detected (D119)",
    build(directory) {
      putFile(join(directory, "a"), "one");
      utimesSync(join(directory, "a"), 1_000, 1_000);
    },
    change(directory) {
      writeFileSync(join(directory, "a"), "two");
      utimesSync(join(directory, "a"), 1_000, 1_000);
    },
  },
  {
    title: "modification times of 1970 and 2099 have no effect (D120)",
    build(directory) {
      for (const [name, year] of [
        ["old", 0],
        ["new", 4_070_908_800],
      ] as const) {
        putFile(join(directory, name), name);
        utimesSync(join(directory, name), year, year);
      }
    },
    change(directory) {
      for (const name of ["old", "new"]) putFile(join(directory, name), "other");
    },
  },
  {
    title: "a large and sparse file is streamed (D121)",
    build(directory) {
      putFile(join(directory, "sparse"), "begin");
      truncateSync(join(directory, "sparse"), 20 * 1024 * 1024 + 3);
    },
    change: (directory) => truncateSync(join(directory, "sparse"), 5),
  },
  {
    title: "a path longer than the host's maximum path length is captured (D122)",
    build: (directory) => buildDeep(directory, 40),
    change: (directory) => removeDeep(directory),
  },
  {
    title: "files that share an inode are restored as separate files (D112)",
    build(directory) {
      putFile(join(directory, "one"), "shared");
      linkSync(join(directory, "one"), join(directory, "two"));
    },
    change: (directory) => writeFileSync(join(directory, "one"), "both"),
  },
  {
    title: "two directories that swapped names are distinguished (D116)",
    build(directory) {
      putFile(join(directory, "a/x"), "1");
      putFile(join(directory, "b/x"), "2");
    },
    change(directory) {
      renameSync(join(directory, "a"), join(directory, "c"));
      renameSync(join(directory, "b"), join(directory, "a"));
      renameSync(join(directory, "c"), join(directory, "b"));
    },
  },
  {
    title: "an empty workspace is restored (D96)",
    build: nothing,
    change: (directory) => putFile(join(directory, "a/b"), "1"),
  },
];

describe("restoring back and forth is exact", () => {
  it.each(fixtures)("$title", async ({ build, change }) => {
    const { workspace, store, storeDirectory } = bench();
    const directory = join(workspace, "tree");
    mkdirSync(directory);
    build(directory);
    const before = manifest(workspace);
    const first = await store.create({});
    change(directory);
    const after = manifest(workspace).filter((line) => !line.startsWith("s "));
    const second = await store.create({});
    for (const [snapshot, expected] of [
      [first, before],
      [second, after],
      [first, before],
      [first, before],
      [second, after],
      [first, before],
    ] as const) {
      await store.restore(snapshot);
      expect(manifest(workspace)).toEqual(expected);
    }
    expect(store.verify().damaged).toEqual([]);
    expect(runGit(storeDirectory, "fsck", "--strict", "--full", "--no-dangling")).toBe("");
  });
});

function initInto(directory: string): void {
  mkdirSync(directory, { recursive: true });
  runGit(join(directory, ".git"), "init", "-q");
}

function commitInto(directory: string): void {
  initInto(directory);
  putFile(join(directory, "file"), "1\n");
  const git = (...args: string[]) =>
    runGit(
      join(directory, ".git"),
      `--work-tree=${directory}`,
      "-c",
      "user.name=a",
      "-c",
      "user.email=b",
      ...args,
    );
  git("add", "file");
  git("commit", "-qm", "one");
}

function putRaw(directory: string, name: Buffer, content: string): void {
  writeFileSync(Buffer.concat([Buffer.from(`${directory}/`), name]), content);
}

/**
 * Each level has a name of 200 characters and is created from inside, so that the whole path exceeds the maximum
 * length.
 */
function buildDeep(directory: string, levels: number): void {
  const script = `cd "$1"; n=$(printf 'x%.0s' $(seq 200)); for i in $(seq ${levels}); do mkdir $n && cd -P $n; done; echo deep > file`;
  execFileSync("sh", ["-c", script, "sh", directory]);
}

function removeDeep(directory: string): void {
  execFileSync("sh", ["-c", 'cd "$1" && rm -rf ./*', "sh", directory]);
}

import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { IgnoreRules } from "./gitignore-rules.js";
import { scratchDirectory } from "./tree-fixture.test.support.js";

let repository: string | undefined;

/**
 * Lists the files that git does not ignore. One repository is enough for all trees, because none of its own files are
 * involved.
 */
function keptByGit(directory: string): string[] {
  const env = {
    PATH: process.env["PATH"] ?? "",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
  };
  if (repository === undefined) {
    repository = mkdtempSync(join(tmpdir(), "wink-test-git-"));
    spawnSync("git", ["init", "-q", "--template=", repository], { env });
  }
  const { status, stdout, stderr } = spawnSync(
    "git",
    ["ls-files", "-z", "-o", "--exclude-standard"],
    {
      cwd: directory,
      env: { ...env, GIT_DIR: join(repository, ".git"), GIT_WORK_TREE: directory },
      encoding: "utf8",
    },
  );
  if (status !== 0) throw new Error(stderr);
  return stdout.split("\0").filter(Boolean);
}

afterAll(() => {
  if (repository !== undefined) rmSync(repository, { recursive: true, force: true });
});

function write(directory: string, files: Readonly<Record<string, string>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, path)), { recursive: true });
    writeFileSync(join(directory, path), content);
  }
}

/** The files that are not ignored. Does not enter ignored directories. */
function kept(directory: string, place = "", outer?: IgnoreRules): string[] {
  const entries = readdirSync(join(directory, place), { withFileTypes: true });
  const own = entries.find(({ name }) => name === ".gitignore");
  const rules = own
    ? new IgnoreRules(outer, place, readFileSync(join(directory, place, ".gitignore")))
    : outer;
  return entries.flatMap((entry) => {
    const path = place === "" ? entry.name : `${place}/${entry.name}`;
    if (entry.name === ".git" || rules?.ignores(path, entry.isDirectory())) return [];
    return entry.isDirectory() ? kept(directory, path, rules) : [path];
  });
}

const FILES = Object.fromEntries(
  [
    ...["a", "b.log", "build/out.js", "src/a", "src/b.log", "src/deep/x.log", "src/build/y"],
    ...[
      "foo/bar/baz",
      "foo/x/bar/baz",
      "src/foo/bar",
      "doc/frotz/a",
      "a b",
      "trail ",
      "#hash",
      "!bang",
    ],
    ...[
      "[x]",
      "x",
      "é.txt",
      "日本/語.md",
      "star*",
      "back\\slash",
      "A.LOG",
      "deep/1/2/3/4/file",
      ".hidden/x",
    ],
  ].map((path) => [path, ""]),
);

describe("a .gitignore file means the same as to git (G187)", () => {
  it.each([
    ["*.log"],
    ["/a"],
    ["a"],
    ["build/"],
    ["/build"],
    ["foo/bar"],
    ["**/bar"],
    ["foo/**"],
    ["foo/**/baz"],
    ["**"],
    ["/**/x"],
    ["*.log\n!src/b.log"],
    ["src/\n!src/a"],
    ["src/*\n!src/deep\n!src/deep/x.log"],
    ["\\#hash\n\\!bang"],
    ["#hash\n!bang"],
    ["trail "],
    ["trail\\ "],
    ["a b"],
    ["[x]\n"],
    ["\\[x]"],
    ["[!a]"],
    ["[a-c]*"],
    ["[[:upper:]]*"],
    ["[[:nonsense:]]*"],
    ["[unclosed"],
    ["??"],
    ["?.txt"],
    ["??.txt"],
    ["é.*"],
    ["日本/*"],
    ["star\\*"],
    ["back\\\\slash"],
    ["ends\\"],
    ["*\n!*/\n!*.log"],
    ["/*\n!/src"],
    ["deep/**/file"],
    ["deep/*/file"],
    ["*/1"],
    ["a\r\nb.log\r\n"],
    ["\ufeff*.log"],
    ["/"],
    ["//"],
    ["!"],
    ["foo//bar"],
    [".*"],
    ["***/bar"],
    ["s*c/d**p"],
    ["[]x]"],
    ["[^b]*.log"],
    ["[a\\-z]"],
  ])("%j", (rules) => {
    const directory = scratchDirectory();
    write(directory, { ...FILES, ".gitignore": rules });
    expect(kept(directory).sort()).toEqual(keptByGit(directory).sort());
  });

  it("in random trees with several .gitignore files (G187)", () => {
    let state = 99;
    const random = (below: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * below);
    };
    const pick = <T>(values: readonly T[]): T => values[random(values.length)] as T;
    const name = () => pick(["a", "b", "ab", "a.c", "b.c", ".d", "é", "x y"]);
    const piece = () =>
      pick(["a", "b", "*", "?", "a*", "*.c", "**", "[ab]", "[!a]*", "ab", ".*", "é", "x y", "*b*"]);
    const rule = () => {
      const body = Array.from({ length: 1 + random(3) }, piece).join("/");
      return `${pick(["", "", "", "!"])}${pick(["", "", "/"])}${body}${pick(["", "", "/"])}`;
    };
    for (let round = 0; round < 100; round++) {
      const directory = scratchDirectory();
      const files: Record<string, string> = {};
      const taken = new Set<string>();
      for (let count = 0; count < 25; count++) {
        const path = Array.from({ length: 1 + random(4) }, name).join("/");
        const parents = path.split("/").map((_, index, all) => all.slice(0, index).join("/"));
        if (taken.has(path) || parents.some((parent) => parent in files)) continue;
        for (const parent of parents) taken.add(parent);
        files[path] = "";
      }
      for (const place of ["", ...taken].filter(() => random(3) === 0))
        files[place === "" ? ".gitignore" : `${place}/.gitignore`] = Array.from(
          { length: 1 + random(4) },
          rule,
        ).join("\n");
      write(directory, files);
      expect({ files, kept: kept(directory).sort() }).toEqual({
        files,
        kept: keptByGit(directory).sort(),
      });
    }
  });
});

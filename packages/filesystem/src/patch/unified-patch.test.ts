import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { shownName } from "../path/host-name.js";
import {
  describeTree,
  readTree,
  scratchDirectory,
  type Tree,
  viewOf,
  writeTree,
} from "../snapshots/tree-fixture.test.support.js";
import { compareTrees } from "./compare-trees.js";

function git(cwd: string, args: readonly string[], input = ""): string {
  const env = {
    PATH: process.env["PATH"] ?? "",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_CONFIG_GLOBAL: "/dev/null",
    GIT_CEILING_DIRECTORIES: cwd,
  };
  const { status, stderr } = spawnSync("git", args, { cwd, env, input, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stderr;
}

async function patchOf(before: Tree, after: Tree): Promise<string> {
  return await (await compareTrees(viewOf(before), viewOf(after))).toPatch();
}

/** Lets git apply our patch from one tree to the other, and revert it. */
async function expectGitToApply(before: Tree, after: Tree): Promise<string> {
  const patch = await patchOf(before, after);
  // Git rejects an empty patch.
  if (patch === "") expect(describeTree(after)).toEqual(describeTree(before));
  if (patch === "") return patch;
  const directory = scratchDirectory();
  writeTree(directory, before);
  git(directory, ["apply", "--check"], patch);
  git(directory, ["apply"], patch);
  expectSame(readTree(directory), describeTree(after));
  git(directory, ["apply", "-R"], patch);
  expectSame(readTree(directory), describeTree(before));
  return patch;
}

/** Compares hashes first, because a diff of two files of a megabyte is not readable. */
function expectSame(found: Record<string, string>, wanted: Record<string, string>): void {
  const brief = (tree: Record<string, string>) =>
    Object.fromEntries(
      Object.entries(tree).map(([path, text]) => [
        path,
        text.length < 1_000 ? text : createHash("sha1").update(text).digest("hex"),
      ]),
    );
  expect(brief(found)).toEqual(brief(wanted));
}

const lines = (count: number) => Array.from({ length: count }, (_, index) => `line ${index}\n`);
const bytes = (length: number, seed = 7) =>
  Uint8Array.from({ length }, (_, index) => (index * seed + (index >> 3)) % 256);

const cases: readonly { what: string; before: Tree; after: Tree }[] = [
  {
    what: "text",
    before: { a: lines(40).join("") },
    after: { a: lines(40).with(20, "x\n").join("") },
  },
  {
    what: "changes far apart",
    before: { a: lines(99).join("") },
    after: { a: lines(99).with(3, "x\n").with(50, "").with(98, "y\nz\n").join("") },
  },
  { what: "a new and a deleted text", before: { old: "a\nb\n" }, after: { new: "c\nd\n" } },
  { what: "no final newline added", before: { a: "x\ny\n" }, after: { a: "x\ny" } },
  { what: "no final newline removed", before: { a: "x\ny" }, after: { a: "x\ny\n" } },
  { what: "no final newline on either side", before: { a: "x\ny" }, after: { a: "x\nz" } },
  { what: "text appended after no final newline", before: { a: "x" }, after: { a: "x\ny" } },
  { what: "CRLF", before: { a: "x\r\ny\r\n" }, after: { a: "x\r\nz\r\n" } },
  { what: "CRLF that becomes LF", before: { a: "x\r\ny\r\n" }, after: { a: "x\ny\n" } },
  { what: "lone carriage returns", before: { a: "x\ry\r" }, after: { a: "x\rz\r" } },
  { what: "a byte order mark", before: { a: "x\n" }, after: { a: "\ufeffx\n" } },
  { what: "added and deleted empty files", before: { old: "" }, after: { new: "", "d/e": "" } },
  { what: "a file that becomes empty", before: { a: "x\n" }, after: { a: "" } },
  { what: "a file that stops being empty", before: { a: "" }, after: { a: "x\n" } },
  {
    what: "lines that look like a patch",
    before: { a: "-- a\n++ b\n@@ -1 +1 @@\n" },
    after: { a: "--- a\n+++ b\n\\ No newline\n" },
  },
  { what: "a binary file that changes", before: { a: bytes(3000) }, after: { a: bytes(2999, 11) } },
  {
    what: "added and deleted binary files",
    before: { old: bytes(100) },
    after: { new: bytes(53, 3) },
  },
  { what: "binary that becomes text", before: { a: bytes(10) }, after: { a: "text\n" } },
  {
    what: "text that is not UTF-8",
    before: { a: Uint8Array.of(0x63, 0xe9, 0x0a) },
    after: { a: "cé\n" },
  },
  {
    what: "a null byte late in the file",
    before: { a: `${"x\n".repeat(9000)}\0` },
    after: { a: "y\n" },
  },
  { what: "a rename", before: { "old.txt": "same\n" }, after: { "dir/new.txt": "same\n" } },
  {
    what: "a renamed file that loses its execute bit",
    before: { a: { program: "x\n" } },
    after: { b: "x\n" },
  },
  { what: "a binary rename", before: { a: bytes(500) }, after: { b: bytes(500) } },
  {
    what: "two files that are swapped",
    before: { a: "1\n", b: "2\n" },
    after: { a: "2\n", b: "1\n" },
  },
  { what: "the execute bit", before: { a: "x\n" }, after: { a: { program: "x\n" } } },
  { what: "the execute bit and the text", before: { a: { program: "x\n" } }, after: { a: "y\n" } },
  {
    what: "links",
    before: { a: { link: "x" }, b: { link: "same" } },
    after: { a: { link: "y/z" }, c: { link: "same" } },
  },
  { what: "a file that becomes a link", before: { a: "x\n" }, after: { a: { link: "x" } } },
  {
    what: "a link that becomes a directory",
    before: { a: { link: "x" } },
    after: { "a/b": "x\n" },
  },
  { what: "a file that becomes a directory", before: { a: "x\n" }, after: { "a/b/c": "y\n" } },
  {
    what: "a directory that becomes a file",
    before: { "a/b": "x\n", "a/c/d": "z\n" },
    after: { a: "y\n" },
  },
  {
    what: "names with spaces, quotes, tabs, backslashes and non-ASCII letters",
    before: {
      "a b.txt": "1\n",
      'q"uo"te': "2\n",
      "née/ü.txt": "3\n",
      " lead": "4\n",
      "trail ": "5\n",
    },
    after: {
      "a b.txt": "one\n",
      'q"uo"te': "two\n",
      "née/ü.txt": "three\n",
      " lead": "four\n",
      "trail ": "five\n",
    },
  },
  {
    what: "renames between such names",
    before: { "a b c": "1\n", é: "22\n", '"': "333\n" },
    after: { "a  b": "1\n", 'è "x"': "22\n", plain: "333\n" },
  },
  {
    what: "new and deleted files with such names",
    before: { "x b/x": "1\n", "ö ": bytes(20) },
    after: { "x b/y b/z": "2\n", "😀 é": bytes(21) },
  },
  {
    what: "names that are not UTF-8 or contain control characters",
    before: { [shownName(Uint8Array.of(0x66, 0xff, 0x0a, 0x09, 0x5c, 0x22))]: "1\n" },
    after: {
      [shownName(Uint8Array.of(0x66, 0xff, 0x0a, 0x09, 0x5c, 0x22))]: "2\n",
      [shownName(Uint8Array.of(0x80))]: "3\n",
    },
  },
  {
    what: "names that begin with a dash or look like options",
    before: { "-R": "1\n" },
    after: { "-R": "2\n", "--check": "3\n" },
  },
];

describe("a patch that git applies and reverts", () => {
  it.each(cases)("contains $what (D135)", async ({ before, after }) => {
    await expectGitToApply(before, after);
  });

  it("equals git's own patch", async () => {
    const before = { "a b.txt": "1\n2\n3\n", é: "é\n", gone: "x" };
    const after = { "a b.txt": "1\n2\nthree\n", é: "", run: { program: "y\n" } };
    const directory = scratchDirectory();
    writeTree(directory, before);
    git(directory, ["init", "-q"]);
    git(directory, ["add", "-A"]);
    for (const path of Object.keys(before)) spawnSync("rm", [path], { cwd: directory });
    writeTree(directory, after);
    git(directory, ["add", "-N", "run"]);
    const { stdout } = spawnSync("git", ["diff", "--full-index", "--no-renames"], {
      cwd: directory,
      encoding: "utf8",
    });
    expect(await patchOf(before, after)).toBe(stdout);
  });

  it("is empty when nothing changed or only empty directories did", async () => {
    expect(await patchOf({ a: "x" }, { a: "x", b: { directory: true } })).toBe("");
  });

  it("turns any tree into any other (D135)", async () => {
    const random = randomOf(20_260_101);
    for (let round = 0; round < 60; round++) {
      const before = randomTree(random);
      await expectGitToApply(before, mutate(random, before));
    }
  });
});

describe("bounded work (D135)", () => {
  it.each([
    {
      what: "two texts with nothing in common",
      left: (i: number) => `a${i}\n`,
      right: (i: number) => `b${i}\n`,
    },
    {
      what: "two texts of the same few lines in another order",
      left: (i: number) => `${(i * 7919) % 13}\n`,
      right: (i: number) => `${(i * 104729) % 17}\n`,
    },
    {
      what: "a reversed text",
      left: (i: number) => `${i}\n`,
      right: (i: number) => `${200_000 - i}\n`,
    },
  ])("compares $what of 200,000 lines in limited time", async ({ left, right }) => {
    const text = (line: (index: number) => string) =>
      Array.from({ length: 200_000 }, (_, index) => line(index)).join("");
    const before = { a: text(left) };
    const after = { a: text(right) };
    const patch = await expectGitToApply(before, after);
    expect(await patchOf(before, after)).toBe(patch);
  });

  it("writes a text over 8 MiB as a binary change", async () => {
    const text = "a line of text\n".repeat(600_000);
    const patch = await expectGitToApply({ a: text }, { a: `${text}one more\n` });
    expect(patch).toContain("GIT binary patch\n");
    expect(patch.length).toBeLessThan(200_000);
  });
});

/** A small deterministic random number generator, below 1. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Random = ReturnType<typeof randomOf>;
const NAMES = ["a", "b c", "é", 'q"', "-x", "d", "e.txt", "\u{10ff09}tab", "z\u{10ffff}"];

function randomPath(random: Random): string {
  return Array.from({ length: 1 + random(3) }, () => NAMES[random(NAMES.length)]).join("/");
}

function randomNode(random: Random): Tree[string] {
  const text = lines(1 + random(30))
    .map((line) => (random(5) === 0 ? `${random(4)}\n` : line))
    .join("");
  switch (random(7)) {
    case 0:
      return { program: text };
    case 1:
      return { link: `to/${random(3)}` };
    case 2:
      return bytes(random(200), 1 + random(9));
    case 3:
      return text.slice(0, -1);
    case 4:
      return random(2) === 0 ? "" : text.replaceAll("\n", "\r\n");
    default:
      return text;
  }
}

function put(tree: Map<string, Tree[string]>, path: string, node: Tree[string]): void {
  // Deletes the nodes above and below the path, because a path is either a file or a directory.
  for (const other of [...tree.keys()])
    if (other.startsWith(`${path}/`) || path.startsWith(`${other}/`)) tree.delete(other);
  tree.set(path, node);
}

function randomTree(random: Random): Tree {
  const tree = new Map<string, Tree[string]>();
  for (let count = random(12); count >= 0; count--)
    put(tree, randomPath(random), randomNode(random));
  return Object.fromEntries(tree);
}

function mutate(random: Random, before: Tree): Tree {
  const tree = new Map(Object.entries(before));
  for (let count = 1 + random(8); count > 0; count--) {
    const paths = [...tree.keys()];
    const path = paths[random(paths.length)];
    const node = path === undefined ? undefined : tree.get(path);
    const kind = random(5);
    if (path === undefined || node === undefined || kind === 0)
      put(tree, randomPath(random), randomNode(random));
    else if (kind === 1) tree.delete(path);
    else if (kind === 2) {
      tree.delete(path);
      put(tree, randomPath(random), node);
    } else if (kind === 3 && typeof node === "string") tree.set(path, { program: node });
    else if (typeof node === "string") tree.set(path, node.replace(/line \d/, `edit ${random(9)}`));
    else tree.set(path, randomNode(random));
  }
  return Object.fromEntries(tree);
}

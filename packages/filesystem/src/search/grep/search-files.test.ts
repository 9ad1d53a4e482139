import { describe, expect, it } from "vitest";
import type { WalkEntry } from "../../driver/driver-accelerators.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import { globFiles } from "../glob/glob-files.js";
import { shouldEnter } from "../glob/should-enter.js";
import { entry, glob, globOf, ROOT, SORTED } from "./search-files.test.support.js";

describe("globFiles", () => {
  it.each([0, 1, 3, 7, 8])(
    "returns the first %i entries in walk order and reports whether there are more (C92)",
    async (maxMatches) => {
      const found = await globOf(
        SORTED.map((path) => entry(path)),
        "*",
        { maxMatches },
      );
      expect(found.map(({ path }) => path)).toEqual(SORTED.slice(0, maxMatches));
      expect(found.truncated).toBe(maxMatches < 8);
    },
  );

  it("sorts directories and files by path, although a walk reaches directories later (C92)", async () => {
    const entries = [entry("a-b"), entry("a", "directory"), entry("a/x")];
    const found = await globOf(entries, "*", { directories: true });
    expect(found.map(({ path }) => path)).toEqual(["a", "a-b", "a/x"]);
  });

  it("stops the walk when it has enough matches (C77)", async () => {
    let walked = 0;
    function* walk(): Generator<WalkEntry> {
      for (; walked < 1_000; walked++) yield entry(`f${String(walked).padStart(4, "0")}`);
    }
    const found = await globFiles({
      entries: walk(),
      base: ROOT,
      pattern: glob("*"),
      directories: false,
      maxMatches: 10,
    });
    expect([found.length, found.truncated, walked]).toEqual([10, true, 10]);
  });

  it("matches files, directories if asked to, and never links or special files (C87, C90)", async () => {
    const entries = [
      entry("dir", "directory"),
      entry("dir/file"),
      entry("link", "symlink"),
      entry("pipe", "special"),
    ];
    expect(await globOf(entries, "*")).toEqual([{ path: "dir/file", isFile: true }]);
    expect(await globOf(entries, "*", { directories: true })).toEqual([
      { path: "dir", isFile: false },
      { path: "dir/file", isFile: true },
    ]);
  });

  it("matches relative to its base (C86)", async () => {
    const entries = [entry("src/a.ts"), entry("src/x/b.ts")];
    const found = await globOf(entries, "./*.ts", { base: "src" });
    expect(found).toEqual([{ path: "src/a.ts", isFile: true }]);
  });

  it("accepts every name literally (A24, A25)", async () => {
    const names = ["*", "--help", "-rf", ":(exclude)*", "[x]", "__proto__", "constructor", "{a,b}"];
    const found = await globOf(
      names.map((name) => entry(name)),
      "*",
    );
    expect(found.map(({ path }) => path)).toEqual(names);
  });

  it("returns frozen data that prints as a plain array (C92)", async () => {
    const found = await globOf([entry("a")], "*");
    expect(JSON.stringify(found)).toBe('[{"path":"a","isFile":true}]');
    expect(Object.keys(found)).toEqual(["0"]);
    expect([found, found[0]].every((value) => Object.isFrozen(value))).toBe(true);
  });

  it("handles 200,000 entries, some of them 1,500 levels deep (C88)", async () => {
    const deep = Array<string>(1_500).fill("d").join("/");
    function* tree(): Generator<WalkEntry> {
      for (let index = 0; index < 200_000; index++)
        yield entry(index % 1_000 === 0 ? `${deep}/${index}.ts` : `${index}.js`);
    }
    const found = await globFiles({
      entries: tree(),
      base: ROOT,
      pattern: glob("**/d/**/*.ts"),
      directories: false,
      maxMatches: 1_000,
    });
    expect([found.length, found.truncated]).toEqual([200, false]);
  });

  it("lets other events run during a long walk, and ends when aborted (C88)", async () => {
    const controller = new AbortController();
    let visited = 0;
    function* endless(): Generator<WalkEntry> {
      for (;;) yield entry(`${visited++}`);
    }
    setTimeout(() => controller.abort(new Error("enough")), 30);
    await expect(
      globFiles({
        entries: endless(),
        base: ROOT,
        pattern: glob("nothing"),
        directories: false,
        maxMatches: 10,
        signal: controller.signal,
      }),
    ).rejects.toThrow("enough");
    expect(visited).toBeGreaterThan(0);
  });
});

describe("shouldEnter", () => {
  it.each([
    [".git", "", undefined, false],
    ["a/.git", "", undefined, false],
    ["a/.git", "a", "**", false],
    [".git/hooks", ".git", undefined, true],
    [".github", "", undefined, true],
    ["src", "", "src/**/*.ts", true],
    ["lib", "", "src/**/*.ts", false],
    ["src/a", "src", "a/*", true],
    ["src/b", "src", "a/*", false],
  ])("%s from base '%s' for %s: %s (C91)", (path, base, pattern, entered) => {
    const compiled = pattern === undefined ? undefined : glob(pattern);
    expect(shouldEnter(path as VirtualPath, base as VirtualPath, compiled)).toBe(entered);
  });
});

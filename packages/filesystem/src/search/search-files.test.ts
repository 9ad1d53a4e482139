import { describe, expect, it } from "vitest";
import type { WalkEntry } from "../driver.js";
import { FileContent } from "../file-content.js";
import type { NodeKind } from "../filesystem.js";
import { FilesystemError } from "../filesystem-error.js";
import type { VirtualPath } from "../virtual-path.js";
import { globFiles } from "./glob-files.js";
import { compileGlob } from "./glob-pattern.js";
import { compileGrep } from "./grep-engine.js";
import { type GrepFilesOptions, grepFiles } from "./grep-files.js";
import { shouldEnter } from "./should-enter.js";

type Load = () => FileContent | undefined | Promise<FileContent | undefined>;

const ROOT = "" as VirtualPath;

/** `path` is in its normal form in all of these tests. */
function entry(path: string, load: Load | NodeKind = () => contentOf("")): WalkEntry {
  const kind = typeof load === "string" ? load : "file";
  return { path: path as VirtualPath, kind, load: typeof load === "string" ? unexpected : load };
}

function unexpected(): never {
  throw new TypeError("This must not be opened.");
}

function contentOf(text: string): FileContent {
  return FileContent.ofText(text, Buffer.byteLength(text), "r");
}

function files(texts: Readonly<Record<string, string>>): WalkEntry[] {
  return Object.entries(texts).map(([path, text]) => entry(path, () => contentOf(text)));
}

function glob(pattern: string) {
  return compileGlob(pattern, { operation: "glob", maxPatternCharacters: 4_096 });
}

function globOf(entries: readonly WalkEntry[], pattern: string, options: object = {}) {
  const chosen = { base: ROOT, directories: false, maxMatches: 1_000, ...options };
  return globFiles({ entries, pattern: glob(pattern), ...chosen });
}

function grepOf(
  entries: GrepFilesOptions["entries"],
  pattern: string,
  options: Partial<GrepFilesOptions> = {},
) {
  const engine = compileGrep(pattern, {
    operation: "grep",
    path: ".",
    ignoreCase: false,
    literal: false,
    maxPatternCharacters: 4_096,
    maxGrepLineCharacters: 500,
    maxSlowRegexMs: 500,
  });
  const limits = { maxMatches: 1_000, maxFileBytes: 1_000_000 };
  return grepFiles({ entries, base: ROOT, engine, ...limits, ...options });
}

async function* slowly(entries: readonly WalkEntry[]): AsyncGenerator<WalkEntry> {
  for (const each of entries) {
    await Promise.resolve();
    yield each;
  }
}

/** In the order of a walk, which is neither that of names nor that of UTF-16: `a-b` stands before `a/x`, and U+FF5E before an emoji. */
const SORTED = ["a-b", "a.c", "a/x", "a/y/z", "a0", "b", "～", "😀"];

describe("globFiles", () => {
  it.each([0, 1, 3, 7, 8])(
    "returns the first %i of the walk's order and says if there were more (C92)",
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

  it("puts directories among the files by path, though a walk comes to them later (C92)", async () => {
    const entries = [entry("a-b"), entry("a", "directory"), entry("a/x")];
    const found = await globOf(entries, "*", { directories: true });
    expect(found.map(({ path }) => path)).toEqual(["a", "a-b", "a/x"]);
  });

  it("goes no further than needed (C77)", async () => {
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

  it("matches files, directories when asked to, and no links or special files (C87, C90)", async () => {
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

  it("matches below its base (C86)", async () => {
    const entries = [entry("src/a.ts"), entry("src/x/b.ts")];
    const found = await globOf(entries, "./*.ts", { base: "src" });
    expect(found).toEqual([{ path: "src/a.ts", isFile: true }]);
  });

  it("takes any name as it is (A24, A25)", async () => {
    const names = ["*", "--help", "-rf", ":(exclude)*", "[x]", "__proto__", "constructor", "{a,b}"];
    const found = await globOf(
      names.map((name) => entry(name)),
      "*",
    );
    expect(found.map(({ path }) => path)).toEqual(names);
  });

  it("answers with frozen data that prints as a list (C92)", async () => {
    const found = await globOf([entry("a")], "*");
    expect(JSON.stringify(found)).toBe('[{"path":"a","isFile":true}]');
    expect(Object.keys(found)).toEqual(["0"]);
    expect([found, found[0]].every((value) => Object.isFrozen(value))).toBe(true);
  });

  it("goes through 200,000 entries, some 1,500 levels deep (C88)", async () => {
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

describe("grepFiles", () => {
  const sorted = () => SORTED.map((path) => entry(path, () => contentOf("hit 1\nhit 2\n")));
  const lines = SORTED.flatMap((path) => [`${path}:1`, `${path}:2`]);

  it.each([0, 1, 2, 3, 15, 16, 17])(
    "finds the first %i lines by path and line (C77, C92)",
    async (maxMatches) => {
      for (const entries of [sorted(), slowly(sorted())]) {
        const found = await grepOf(entries, "hit", { maxMatches });
        expect(found.map(({ path, lineNumber }) => `${path}:${lineNumber}`)).toEqual(
          lines.slice(0, maxMatches),
        );
        expect(found.truncated).toBe(maxMatches < 16);
      }
    },
  );

  it("reads no further than needed (C77)", async () => {
    let loaded = 0;
    const many = Array.from({ length: 1_000 }, (_, index) =>
      entry(`f${String(index).padStart(4, "0")}`, () => {
        loaded++;
        return contentOf("x\n".repeat(10_000));
      }),
    );
    const found = await grepOf(many, "", { maxMatches: 1_000 });
    expect([found.length, found.truncated]).toEqual([1_000, true]);
    expect(loaded).toBeLessThan(50);
  });

  it("skips and counts what is not text, too large, unreadable or special (C90)", async () => {
    const entries = [
      entry("fifo", "special"),
      entry("gone", () => {
        throw new FilesystemError("ENOENT", { operation: "read", path: "gone" });
      }),
      entry("invalid", () => FileContent.ofBytes(Uint8Array.of(0xff, 0x61), "r")),
      entry("large", () => undefined),
      entry("link", "symlink"),
      entry("nul", () => contentOf("hit\0")),
      entry("text", () => contentOf("hit")),
      entry("unreadable", async () => undefined),
    ];
    const sizes = new Map([["large", 2_000_000]]);
    const found = await grepOf(entries, "hit", { sizeOf: (path) => sizes.get(path) });
    expect(found.map(({ path }) => path)).toEqual(["text"]);
    expect(found.skippedCount).toBe(6);
    expect(found.skipped).toEqual([
      { path: "fifo", reason: "unreadable" },
      { path: "gone", reason: "unreadable" },
      { path: "invalid", reason: "binary" },
      { path: "large", reason: "too-large" },
      { path: "nul", reason: "binary" },
      { path: "unreadable", reason: "unreadable" },
    ]);
    expect(Object.keys(found)).toEqual(["0"]);
    expect([found, found.skipped, found.skipped[0]].every((value) => Object.isFrozen(value))).toBe(
      true,
    );
  });

  it("counts what it skipped up to where it was cut (C90, C92)", async () => {
    const entries = [
      entry("a", () => contentOf("\0")),
      entry("b", () => contentOf("hit\nhit")),
      entry("c", () => contentOf("\0")),
    ];
    const counts = [0, 1, 2].map(async (maxMatches) => {
      const found = await grepOf(entries, "hit", { maxMatches });
      return [found.truncated, found.skippedCount];
    });
    expect(await Promise.all(counts)).toEqual([
      [true, 0],
      [true, 1],
      [false, 2],
    ]);
  });

  it("lists at most 100 skipped files (C90)", async () => {
    const entries = Array.from({ length: 150 }, (_, index) => entry(`${index}`, () => undefined));
    const found = await grepOf(entries, "x");
    expect([found.skipped.length, found.skippedCount]).toEqual([100, 150]);
  });

  it("goes on when files vanish or appear during the walk (C89)", async () => {
    async function* changing(): AsyncGenerator<WalkEntry> {
      yield entry("a", async () => {
        throw new FilesystemError("ENOENT", { operation: "read", path: "a" });
      });
      yield entry("b", async () => contentOf("hit"));
      yield entry("c", async () => {
        throw new FilesystemError("EISDIR", { operation: "read", path: "c" });
      });
    }
    const found = await grepOf(changing(), "hit");
    expect([found.length, found.skippedCount]).toEqual([1, 2]);
  });

  it("fails when the backend does (C89)", async () => {
    const entries = [
      entry("a", async () => contentOf("")),
      entry("b", async () => {
        throw new Error("connection lost");
      }),
    ];
    await expect(grepOf(entries, "hit")).rejects.toThrow("connection lost");
  });

  it("searches only what its glob matches, or the one file it is given (C91)", async () => {
    const entries = files({ "src/a.ts": "hit", "src/b.js": "hit", "src/x/c.ts": "hit" });
    const base = "src" as VirtualPath;
    const chosen = await grepOf(entries, "hit", { base, glob: glob("./*.ts") });
    expect(chosen.map(({ path }) => path)).toEqual(["src/a.ts"]);
    const file = "src/b.js" as VirtualPath;
    const one = await grepOf(entries.slice(1, 2), "hit", { base: file, glob: glob("*.ts") });
    expect(one.map(({ path }) => path)).toEqual(["src/b.js"]);
  });

  it("loads ahead from a backend that takes its time, and keeps the order (C92)", async () => {
    let underWay = 0;
    let most = 0;
    const entries = Array.from({ length: 50 }, (_, index) =>
      entry(`f${String(index).padStart(2, "0")}`, async () => {
        most = Math.max(most, ++underWay);
        await new Promise((resolve) => setTimeout(resolve, 50 - index));
        underWay--;
        return contentOf("hit");
      }),
    );
    const found = await grepOf(entries, "hit");
    expect(found.map(({ path }) => path)).toEqual(entries.map(({ path }) => path));
    expect(most).toBeGreaterThan(4);
    expect(most).toBeLessThan(12);
  });

  it("ends at once when aborted, also while a pattern is slow (C73, C88)", async () => {
    const controller = new AbortController();
    const entries = files({ a: `${"a".repeat(40)}!` });
    setTimeout(() => controller.abort(new Error("enough")), 100);
    await expect(grepOf(entries, "(a+)+$", { signal: controller.signal })).rejects.toThrow(
      "enough",
    );
    await expect(grepOf(entries, "a", { signal: controller.signal })).rejects.toThrow("enough");
  });
});

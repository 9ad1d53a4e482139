import { describe, expect, it } from "vitest";
import { FileContent } from "../../content/file-content.js";
import type { WalkEntry } from "../../driver/driver-accelerators.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import { FilesystemError } from "../../protocol/filesystem-error.js";
import { compileGrep } from "./grep-engine.js";
import { GREP_OPTIONS } from "./grep-options.test.support.js";
import {
  contentOf,
  entry,
  files,
  glob,
  grepOf,
  SORTED,
  slowly,
} from "./search-files.test.support.js";

describe("grepFiles", () => {
  const sorted = () => SORTED.map((path) => entry(path, () => contentOf("hit 1\nhit 2\n")));
  const lines = SORTED.flatMap((path) => [`${path}:1`, `${path}:2`]);

  it.each([0, 1, 2, 3, 15, 16, 17])(
    "returns the first %i lines by path and line number (C77, C92)",
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

  it("reads only as many files as needed (C77)", async () => {
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

  it.each([
    { hits: 2, candidates: 1, maxMatches: 1, read: 1 },
    { hits: 1, candidates: 3, maxMatches: 1, read: 2 },
    { hits: 2, candidates: 601, maxMatches: 1_000, read: 501 },
    { hits: 1, candidates: 200, maxMatches: 100, read: 101 },
    { hits: 1, candidates: 100, maxMatches: 100, read: 2_000 },
  ])(
    "reads $read of 2,000 files for $maxMatches matches, when $candidates hold $hits each (C77, FS-47)",
    async ({ hits, candidates, maxMatches, read }) => {
      let loaded = 0;
      const entries = Array.from({ length: 2_000 }, (_, index) =>
        entry(`f${String(index).padStart(4, "0")}`, () => {
          loaded++;
          return contentOf(index < candidates ? "hit\n".repeat(hits) : "nothing\n");
        }),
      );
      const found = await grepOf(entries, "hit", { maxMatches });
      expect([found.length, found.truncated]).toEqual([maxMatches, hits * candidates > maxMatches]);
      expect(loaded).toBe(read);
    },
  );

  it("reads only a few more files from an asynchronous backend (C77)", async () => {
    let loaded = 0;
    const entries = Array.from({ length: 1_000 }, (_, index) =>
      entry(`f${String(index).padStart(4, "0")}`, async () => {
        loaded++;
        return contentOf(index === 0 ? "hit\nhit\n" : "nothing\n");
      }),
    );
    const found = await grepOf(slowly(entries), "hit", { maxMatches: 1 });
    expect([found.length, found.truncated]).toEqual([1, true]);
    expect(loaded).toBeLessThan(20);
  });

  it("ends when the first file has enough matches, even if the walk never ends (C77)", async () => {
    function* endless(): Generator<WalkEntry> {
      yield entry("first", () => contentOf("hit\n".repeat(200)));
      for (let index = 0; ; index++) yield entry(`next${index}`, () => contentOf("nothing\n"));
    }
    const found = await grepOf(endless(), "hit", { maxMatches: 100 });
    expect([found.length, found.truncated]).toEqual([100, true]);
  });

  it.each(["hit", "h[i]t"])(
    "returns 300,000 matches of %s if the limit allows, and lets other events run (C77, FS-47)",
    async (pattern) => {
      let turns = 0;
      const timer = setInterval(() => turns++, 0);
      const text = "a hit\n".repeat(300_000);
      const found = await grepOf(files({ text }), pattern, {
        maxMatches: 1_000_000,
        maxFileBytes: 10_000_000,
      });
      clearInterval(timer);
      expect([found.length, found.truncated]).toEqual([300_000, false]);
      expect(found.at(-1)).toEqual({
        path: "text",
        lineNumber: 300_000,
        lineContent: "a hit",
        matchStart: 2,
        matchEnd: 5,
      });
      // It takes a fifth of a second. If it blocked this thread, the event loop would run only once or twice.
      expect(turns).toBeGreaterThan(3);
    },
  );

  it("does not search a long file that cannot match, as text or as bytes (C73, C80)", async () => {
    const bytes = Buffer.alloc(3_000_000, "x");
    const asText = entry("text", () => contentOf(bytes.toString()));
    const asBytes = { ...entry("bytes"), peek: () => bytes };
    // A search would have failed for being too slow.
    const found = await grepOf([asBytes, asText], "\\w+y", { maxFileBytes: 10_000_000 });
    expect([...found]).toEqual([]);
  });

  it("lets other events run during a long check (C74, TM-6)", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    const bytes = Buffer.alloc(10_000_000, "x");
    const long = { ...entry("long"), peek: () => bytes };
    const short = Array.from({ length: 200 }, (_, index) => ({
      ...entry(`short${index}`),
      peek: () => bytes.subarray(0, 50_000),
    }));
    await grepOf([long, ...short], "xxxxxy", { maxFileBytes: 10_000_000 });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(3);
  });

  it("skips and counts files that are binary, too large, unreadable or special (C90)", async () => {
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

  it("skips, counts and lists a file whose size cannot be read (FS-48, C90)", async () => {
    const refuse = (code: "EACCES" | "EIO") => () => {
      throw new FilesystemError(code, { operation: "stat", path: "closed/file" });
    };
    const entries = [entry("closed/file", () => undefined), entry("text", () => contentOf("hit"))];
    const found = await grepOf(entries, "hit", { sizeOf: refuse("EACCES") });
    expect(found.map(({ path }) => path)).toEqual(["text"]);
    expect(found.skipped).toEqual([{ path: "closed/file", reason: "unreadable" }]);
    expect(found.skippedCount).toBe(1);
    await expect(grepOf(entries, "hit", { sizeOf: refuse("EIO") })).rejects.toThrow("EIO");
  });

  it("counts the skipped files up to where it was truncated (C90, C92)", async () => {
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

  it("continues when files are deleted or created during the walk (C89)", async () => {
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

  it("fails when the backend fails (C89)", async () => {
    const entries = [
      entry("a", async () => contentOf("")),
      entry("b", async () => {
        throw new Error("connection lost");
      }),
    ];
    await expect(grepOf(entries, "hit")).rejects.toThrow("connection lost");
  });

  it("searches only files that match its glob, or the one file it is given (C91)", async () => {
    const entries = files({ "src/a.ts": "hit", "src/b.js": "hit", "src/x/c.ts": "hit" });
    const base = "src" as VirtualPath;
    const chosen = await grepOf(entries, "hit", { base, glob: glob("./*.ts") });
    expect(chosen.map(({ path }) => path)).toEqual(["src/a.ts"]);
    const file = "src/b.js" as VirtualPath;
    const one = await grepOf(entries.slice(1, 2), "hit", { base: file, glob: glob("*.ts") });
    expect(one.map(({ path }) => path)).toEqual(["src/b.js"]);
  });

  it("loads ahead from an asynchronous backend, and keeps the order (C92)", async () => {
    let inFlight = 0;
    let maxInFlight = 0;
    const entries = Array.from({ length: 50 }, (_, index) =>
      entry(`f${String(index).padStart(2, "0")}`, async () => {
        maxInFlight = Math.max(maxInFlight, ++inFlight);
        await new Promise((resolve) => setTimeout(resolve, 50 - index));
        inFlight--;
        return contentOf("hit");
      }),
    );
    const found = await grepOf(entries, "hit");
    expect(found.map(({ path }) => path)).toEqual(entries.map(({ path }) => path));
    expect(maxInFlight).toBeGreaterThan(4);
    expect(maxInFlight).toBeLessThan(12);
  });

  it("ends immediately when aborted, also during a slow pattern (C73, C88)", async () => {
    const controller = new AbortController();
    const entries = files({ a: `${"a".repeat(40)}!` });
    setTimeout(() => controller.abort(new Error("enough")), 100);
    // Its own limit comes later than the abort, however busy the machine is.
    const engine = compileGrep("(a+)+$", { ...GREP_OPTIONS, maxSlowRegexMs: 600_000 });
    await expect(grepOf(entries, "", { engine, signal: controller.signal })).rejects.toThrow(
      "enough",
    );
    await expect(grepOf(entries, "a", { signal: controller.signal })).rejects.toThrow("enough");
  });
});

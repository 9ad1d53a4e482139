import assert from "node:assert/strict";
import { defineArea, eachRow } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";

export const grep = defineArea("grep", {
  "returns each matching line and its position (FS-43)": async (open) => {
    const fs = await open();
    await fs.write("b.txt", "one\ntwo TODO here TODO\nthree\n");
    await fs.write("a/c.txt", "TODO");
    const found = await fs.grep("TO\\w+");
    assert.deepEqual(
      [...found],
      [
        { path: "a/c.txt", lineNumber: 1, lineContent: "TODO", matchStart: 0, matchEnd: 4 },
        {
          path: "b.txt",
          lineNumber: 2,
          lineContent: "two TODO here TODO",
          matchStart: 4,
          matchEnd: 8,
        },
      ],
    );
    assert.deepEqual([found.truncated, found.skipped, found.skippedCount], [false, [], 0]);
  },
  ...eachRow(
    [
      { pattern: "^b", lines: [2] },
      { pattern: "a$", lines: [1, 3] },
      { pattern: "^$", lines: [4] },
      { pattern: "b\\s*a", lines: [] },
      { pattern: "[^x]+", lines: [1, 2, 3, 5] },
      { pattern: "x*", lines: [1, 2, 3, 4, 5] },
      { pattern: "(?<word>b|c)", lines: [2, 5] },
      { pattern: "a{2}", lines: [3] },
    ],
    ({ pattern }) => `applies ${pattern} to each line separately (C79, FS-44)`,
    ({ pattern, lines }) =>
      async (open) => {
        const fs = await open();
        await fs.write("f", "a\nb\naa\n\nc");
        assert.deepEqual(
          (await fs.grep(pattern)).map(({ lineNumber }) => lineNumber),
          lines,
        );
      },
  ),
  "excludes the carriage return from a line and splits only at line ends (B53, FS-44)": async (
    open,
  ) => {
    const fs = await open();
    await fs.write("f", "x end\r\ny\rz\u2028w\u0085v\fu end");
    const found = await fs.grep("end$");
    assert.deepEqual(
      found.map(({ lineNumber, lineContent }) => [lineNumber, lineContent]),
      [
        [1, "x end"],
        [2, "y\rz\u2028w\u0085v\fu end"],
      ],
    );
  },
  "treats the pattern as plain text on request (FS-45)": async (open) => {
    const fs = await open();
    await fs.write("f", "a.c\nabc\n(\n");
    assert.deepEqual(
      (await fs.grep("a.c", { literal: true })).map(({ lineNumber }) => lineNumber),
      [1],
    );
    assert.deepEqual(
      (await fs.grep("a.c")).map(({ lineNumber }) => lineNumber),
      [1, 2],
    );
    assert.equal((await fs.grep("(", { literal: true })).length, 1);
  },
  "ignores case on request (FS-45)": async (open) => {
    const fs = await open();
    await fs.write("f", "Error\nERROR\nerror\nÄ\n");
    assert.equal((await fs.grep("error")).length, 1);
    assert.equal((await fs.grep("error", { ignoreCase: true })).length, 3);
    assert.equal((await fs.grep("ERR", { ignoreCase: true, literal: true })).length, 3);
    assert.equal((await fs.grep("ä", { ignoreCase: true })).length, 1);
  },
  "searches below a directory, in one file, or in files that match a glob (FS-46)": async (
    open,
  ) => {
    const fs = await open();
    for (const path of ["a.ts", "a.md", "src/b.ts", "src/c.md", "src/d/e.ts"])
      await fs.write(path, "hit");
    const paths = async (options: { path?: string; glob?: string }) =>
      (await fs.grep("hit", options)).map(({ path }) => path);
    assert.deepEqual(await paths({ path: "src" }), ["src/b.ts", "src/c.md", "src/d/e.ts"]);
    assert.deepEqual(await paths({ path: "src/b.ts" }), ["src/b.ts"]);
    assert.deepEqual(await paths({ glob: "*.ts" }), ["a.ts", "src/b.ts", "src/d/e.ts"]);
    assert.deepEqual(await paths({ glob: "*.md", path: "src" }), ["src/c.md"]);
    assert.deepEqual(await paths({ glob: "d/*", path: "src" }), ["src/d/e.ts"]);
    assert.deepEqual(await paths({ glob: "*.py" }), []);
  },
  "returns the first matches by path and line when there are too many (C77, C92, FS-47)": async (
    open,
  ) => {
    const fs = await open();
    for (const path of ["b", "a/x", "a-y", "a"].slice(0, 3)) await fs.write(path, "m\nm\nm\n");
    const some = await fs.grep("m", { maxMatches: 4 });
    assert.deepEqual(
      some.map(({ path, lineNumber }) => `${path}:${lineNumber}`),
      ["a-y:1", "a-y:2", "a-y:3", "a/x:1"],
    );
    assert.equal(some.truncated, true);
    assert.equal((await fs.grep("m", { maxMatches: 9 })).truncated, false);
    const limited = await open({ limits: { maxGrepMatches: 2 } });
    await limited.write("f", "m\nm\nm\n");
    const two = await limited.grep("m", { maxMatches: 3 });
    assert.deepEqual([two.length, two.truncated], [2, true]);
  },
  "skips files that are not text and lists them (B55, C90, FS-48)": async (open) => {
    const fs = await open({ limits: { maxGrepFileBytes: 20 } });
    await fs.writeBytes("bad-utf8", Uint8Array.of(0xff, 0x68, 0x69, 0x74));
    await fs.write("nul", "hit\0");
    await fs.write("large", `hit ${"x".repeat(20)}`);
    await fs.write("ok", "hit");
    const found = await fs.grep("hit");
    assert.deepEqual(
      found.map(({ path }) => path),
      ["ok"],
    );
    assert.deepEqual(found.skipped, [
      { path: "bad-utf8", reason: "binary" },
      { path: "large", reason: "too-large" },
      { path: "nul", reason: "binary" },
    ]);
    assert.equal(found.skippedCount, 3);
  },
  "clips a long line around its match (C80, FS-43)": async (open) => {
    const fs = await open();
    await fs.write("min.js", `${"a".repeat(50_000)}NEEDLE${"b".repeat(50_000)}`);
    const [match] = await fs.grep("NEEDLE");
    assert(match !== undefined);
    assert.equal(match.lineContent.slice(match.matchStart, match.matchEnd), "NEEDLE");
    assert(match.lineContent.length <= fs.limits.maxGrepLineCharacters + 2);
  },
  "counts UTF-16 code units (C81, FS-43)": async (open) => {
    const fs = await open();
    await fs.write("f", "😀é hit");
    assert.deepEqual(
      [...(await fs.grep("hit"))],
      [{ path: "f", lineNumber: 1, lineContent: "😀é hit", matchStart: 4, matchEnd: 7 }],
    );
  },
  ...eachRow(
    ["(", "[", "a{2,1}", "*", "(?i)a", "x".repeat(5_000), "(".repeat(2_000)],
    (pattern) =>
      `refuses ${pattern.slice(0, 12)} (${pattern.length} characters), which is not a valid regular expression, by name (C76, C78, FS-49)`,
    (pattern) => async (open) => {
      const fs = await open();
      await fs.write("f", "a");
      const path = pattern.length > 80 ? `${pattern.slice(0, 80)}…` : pattern;
      await expectFailure(fs.grep(pattern), "EINVAL", { operation: "grep", path });
      if (pattern.length > 80) return;
      await expectFailure(fs.grep(pattern, { path: "f" }), "EINVAL", { operation: "grep", path });
    },
  ),
  "names the filter that is not a valid glob, not the pattern (FS-49)": async (open) => {
    const fs = await open();
    await fs.write("f", "a");
    const refused = fs.grep("a", { glob: "[z-a]" });
    await expectFailure(refused, "EINVAL", { operation: "grep", path: "[z-a]" });
  },
  "refuses a pattern that is not a string (FS-49)": async (open) => {
    const fs = await open();
    for (const pattern of [undefined, null, 7, /a/])
      await expectFailure(fs.grep(pattern as unknown as string), "EINVAL", { operation: "grep" });
  },
  "times out on a pattern with catastrophic backtracking (C73, FS-49, TM-6)": async (open) => {
    const fs = await open({ limits: { maxSlowRegexMs: 50 } });
    await fs.write("f", `${"a".repeat(40)}!`);
    await expectFailure(fs.grep("(a+)+$"), "EINVAL", { operation: "grep" });
    assert.equal((await fs.read("f")).totalLines, 1);
  },
  ...eachRow(
    [
      { path: "missing", code: "ENOENT" },
      { path: "f/below", code: "ENOTDIR" },
      { path: "..", code: "EACCES" },
    ] as const,
    ({ path, code }) => `fails with ${code} when the base is ${path} (FS-46, FS-65)`,
    ({ path, code }) =>
      async (open) => {
        const fs = await open();
        await fs.write("f", "1");
        await expectFailure(fs.grep("1", { path }), code, { operation: "grep", path });
      },
  ),
  ...eachRow(
    [
      { pattern: "ok 😀?$", lines: [2, 3] },
      { pattern: "^😀{2}$", lines: [4] },
      { pattern: "👍?ok", lines: [2, 3] },
      { pattern: "\\ud83d", lines: [1, 2, 4, 5] },
      { pattern: "q{63}😀", lines: [5] },
    ],
    ({ pattern }) => `finds ${pattern}, which has characters above U+FFFF (FS-43, FS-76)`,
    ({ pattern, lines }) =>
      async (open) => {
        const fs = await open();
        await fs.write("f", `😀 hi\nok 😀\nok \n😀😀\n${"q".repeat(63)}😀x\n`);
        assert.deepEqual(
          (await fs.grep(pattern)).map(({ lineNumber }) => lineNumber),
          lines,
        );
      },
  ),
  "finds a long text with a character above U+FFFF at any position (FS-43, FS-45)": async (
    open,
  ) => {
    const fs = await open();
    for (const before of [0, 1, 62, 63, 64, 65]) {
      const text = `${"q".repeat(before)}😀${"z".repeat(70)}`;
      await fs.write("f", `no\n${text}\n`);
      const found = await fs.grep(text, { literal: true });
      assert.deepEqual([found.length, found[0]?.lineNumber], [1, 2]);
    }
    await expectFailure(fs.grep("\ud83d"), "EINVAL");
    await expectFailure(fs.grep("\ud83d", { literal: true }), "EINVAL");
  },
  "treats a carriage return at the end of the text as part of the last line (FS-44)": async (
    open,
  ) => {
    const fs = await open();
    await fs.write("f", "one\r\ntwo\r");
    assert.deepEqual(
      (await fs.grep("o")).map(({ lineContent }) => lineContent),
      ["one", "two\r"],
    );
    assert.equal((await fs.grep("two$")).length, 0);
  },
  "does not search .git, and neither does glob (C91, FS-50)": async (open) => {
    const fs = await open({ allowGit: true });
    await fs.write(".git/config", "hit");
    await fs.write("sub/.git/x", "hit");
    await fs.write(".gitignore", "hit");
    assert.deepEqual(
      (await fs.grep("hit")).map(({ path }) => path),
      [".gitignore"],
    );
    assert.deepEqual(
      (await fs.glob("**")).map(({ path }) => path),
      [".gitignore"],
    );
  },
});

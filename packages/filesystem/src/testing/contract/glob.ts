import assert from "node:assert/strict";
import { defineArea, eachRow, type Open } from "./contract-case.js";
import { expectFailure } from "./expect-failure.js";

const FILES = [
  ".env",
  "README.md",
  "a-b",
  "a.ts",
  "a/x.ts",
  "src/.hidden/deep.ts",
  "src/app.test.ts",
  "src/app.ts",
  "src/lib/util.js",
  "src/lib/util.ts",
];

async function sample(open: Open) {
  const fs = await open();
  for (const path of FILES) await fs.write(path, path);
  return fs;
}

const MATCHES: readonly (readonly [pattern: string, paths: readonly string[]])[] = [
  [
    "*.ts",
    ["a.ts", "a/x.ts", "src/.hidden/deep.ts", "src/app.test.ts", "src/app.ts", "src/lib/util.ts"],
  ],
  ["app.ts", ["src/app.ts"]],
  [
    "**/*.ts",
    ["a.ts", "a/x.ts", "src/.hidden/deep.ts", "src/app.test.ts", "src/app.ts", "src/lib/util.ts"],
  ],
  ["src/*.ts", ["src/app.test.ts", "src/app.ts"]],
  [
    "src/**",
    ["src/.hidden/deep.ts", "src/app.test.ts", "src/app.ts", "src/lib/util.js", "src/lib/util.ts"],
  ],
  ["src/**/util.*", ["src/lib/util.js", "src/lib/util.ts"]],
  ["**/lib/**", ["src/lib/util.js", "src/lib/util.ts"]],
  ["src/lib/util.{js,ts}", ["src/lib/util.js", "src/lib/util.ts"]],
  ["[ab].ts", ["a.ts"]],
  ["[!a].ts", ["a/x.ts"]],
  ["?.ts", ["a.ts", "a/x.ts"]],
  [".*", [".env"]],
  ["*", FILES],
  ["**", FILES],
  ["*/x.ts", ["a/x.ts"]],
  ["src/lib/*.@(js|ts)", ["src/lib/util.js", "src/lib/util.ts"]],
  ["+(a|b).ts", ["a.ts"]],
  ["src/!(*.test).ts", ["src/app.ts"]],
  ["lib/*.ts", []],
  ["nothing", []],
];

export const glob = defineArea("glob", {
  ...eachRow(
    MATCHES,
    ([pattern]) => `finds the matches of ${pattern} (FS-38, FS-39)`,
    ([pattern, paths]) =>
      async (open) => {
        const fs = await sample(open);
        const found = await fs.glob(pattern);
        assert.deepEqual(
          [...found],
          paths.map((path) => ({ path, isFile: true })),
        );
        assert.equal(found.truncated, false);
      },
  ),
  "matches below its base and returns paths from the root (FS-42)": async (open) => {
    const fs = await sample(open);
    const paths = async (pattern: string, path: string) =>
      (await fs.glob(pattern, { path })).map((match) => match.path);
    assert.deepEqual(await paths("lib/*.ts", "src"), ["src/lib/util.ts"]);
    assert.deepEqual(await paths("*.js", "src/lib"), ["src/lib/util.js"]);
    assert.deepEqual(await paths("src/**", "src"), []);
    assert.deepEqual(await paths("*.md", "/"), ["README.md"]);
  },
  "also finds directories on request (FS-42)": async (open) => {
    const fs = await sample(open);
    await fs.mkdir("src/empty");
    const found = await fs.glob("src/*", { directories: true });
    assert.deepEqual(
      [...found],
      [
        { path: "src/.hidden", isFile: false },
        { path: "src/app.test.ts", isFile: true },
        { path: "src/app.ts", isFile: true },
        { path: "src/empty", isFile: false },
        { path: "src/lib", isFile: false },
      ],
    );
  },
  "returns the first matches in byte order when there are too many (C92, FS-40)": async (open) => {
    const fs = await sample(open);
    const some = await fs.glob("*", { maxMatches: 4 });
    assert.deepEqual(
      some.map(({ path }) => path),
      FILES.slice(0, 4),
    );
    assert.equal(some.truncated, true);
    assert.equal((await fs.glob("*", { maxMatches: FILES.length })).truncated, false);
    const limited = await open({ limits: { maxGlobMatches: 1 } });
    for (const path of ["b", "a"]) await limited.write(path, "");
    const one = await limited.glob("*", { maxMatches: 5 });
    assert.deepEqual([one.map(({ path }) => path), one.truncated], [["a"], true]);
  },
  "sorts whole paths by their bytes (B72, FS-40)": async (open) => {
    const fs = await open();
    const files = ["a/b", "a-b", "a.b", "a0", "ﬀ/x", "😀", "Z", "a/b-c/d", "a/b.c"];
    for (const path of files.filter((file) => file !== "a/b")) await fs.write(path, "");
    await fs.write("a/b", "");
    const sorted = files
      .map((path) => Buffer.from(path))
      .sort(Buffer.compare)
      .map(String);
    assert.deepEqual(
      (await fs.glob("**")).map(({ path }) => path),
      sorted,
    );
  },
  ...eachRow(
    ["../*", "a/../../*", "src/../../x", ".."],
    (pattern) => `refuses ${pattern}, which escapes the root (C86, FS-41)`,
    (pattern) => async (open) => {
      const fs = await sample(open);
      await expectFailure(fs.glob(pattern), "EACCES", { operation: "glob" });
    },
  ),
  ...eachRow(
    ["a\\b", "a\0b", "[z-a]", "!a", "{1..100000}", `${"{a,b}".repeat(201)}`, "x".repeat(5_000)],
    (pattern) => `refuses ${JSON.stringify(pattern.slice(0, 20))} as a pattern (C83, C86, FS-41)`,
    (pattern) => async (open) => {
      const fs = await sample(open);
      await expectFailure(fs.glob(pattern), "EINVAL", { operation: "glob" });
    },
  ),
  "refuses a pattern that is not a string (FS-41)": async (open) => {
    const fs = await sample(open);
    for (const pattern of [undefined, null, 7, {}])
      await expectFailure(fs.glob(pattern as string), "EINVAL", { operation: "glob" });
  },
  ...eachRow(
    [
      { path: "missing", code: "ENOENT" },
      { path: "a.ts", code: "ENOTDIR" },
      { path: "../x", code: "EACCES" },
    ] as const,
    ({ path, code }) => `fails with ${code} when the base is ${path} (FS-42, FS-65)`,
    ({ path, code }) =>
      async (open) => {
        const fs = await sample(open);
        await expectFailure(fs.glob("*", { path }), code, { operation: "glob", path });
      },
  ),
  "finds files whose names look like patterns (A25, FS-39)": async (open) => {
    const fs = await open();
    for (const name of ["[x]", "*", "{a,b}", "x"]) await fs.write(name, "");
    for (const pattern of ["[x]", "[[]x[]]"])
      assert.ok(
        (await fs.glob(pattern)).some(({ path }) => path === "[x]"),
        pattern,
      );
    assert.equal((await fs.glob("?")).length, 2);
  },
  "is fast for a pattern with many stars (C82, C84, FS-41, TM-6)": async (open) => {
    const fs = await open();
    await fs.write("a".repeat(60), "");
    assert.equal((await fs.glob(`${"*a".repeat(20)}*c`)).length, 0);
    assert.equal((await fs.glob(`${"**/".repeat(50)}x`)).length, 0);
  },
});

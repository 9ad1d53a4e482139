import { describe, expect, it } from "vitest";
import { isFilesystemError } from "../../protocol/filesystem-error.js";
import { DEFAULT_LIMITS } from "../../protocol/limits.js";
import { HARD_CAP_MS, named } from "../grep/hostile-patterns.test.support.js";
import { contentOf, entry, globOf, grepOf } from "../grep/search-files.test.support.js";
import { compileGlob } from "./glob-pattern.js";
import { MAX_STEPS_OF_MATCH, STEPS_PER_WORK } from "./match-meter.js";

/** Braces that expand to hundreds of patterns. Each takes long to find that a row of `a` does not match. */
const MANY_ALTERNATIVES = [
  `*${"a".repeat(30)}[bc]*{1..999}`,
  `{${Array(250).fill("*a*a*a*a*a[bc]").join(",")}}`,
  `{${[..."bdefghijklmnopqrstuvwxyz"].map((last) => `*a*a*a*a*a[${last}c]`).join(",")}}`,
  `*${"a".repeat(20)}[bc]${"{a,b}".repeat(9)}*`,
  "*aaaaab{1..999}*",
  "*?{1..999}*",
  "{1..999}*[bc]",
  "*{1..30}a[b-z]{1..30}*",
  "**/*a*{1..999}*/**",
  "{a*,*a}{1..400}/**/*[bc]",
];

const HOSTILE_GLOBS = [
  "*a".repeat(8),
  "*a".repeat(10),
  `${"*a".repeat(100)}c`,
  `${"*a".repeat(2_000)}c`,
  `${"a*".repeat(2_000)}c`,
  `${"*?".repeat(1_000)}c`,
  `${"?*".repeat(1_000)}c`,
  `${"*[ab]".repeat(500)}c`,
  `${"[!b]*".repeat(500)}c`,
  `${"**/".repeat(50)}x`,
  `${"**/".repeat(1_000)}x`,
  `${"**/a/".repeat(50)}x`,
  `${"**/a/".repeat(800)}x`,
  `${"**/*/".repeat(500)}x`,
  `${"**/*a*/".repeat(500)}x`,
  `${"*/".repeat(1_000)}x`,
  `${"*a*/**/".repeat(300)}x`,
  "**a**a**a**a**a**a**a**a**c",
  "{a,b}".repeat(9),
  "{a,b}".repeat(17),
  `{${"*a,".repeat(900)}*}c`,
  `{${"**/a/**/b,".repeat(300)}c}`,
  `${"{*a,*b}".repeat(9)}c`,
  "{1..1000}*{1..1000}",
  "{1..1000}*c",
  "{1..99999999}",
  "{".repeat(4_000),
  "{a,".repeat(1_000),
  `${"{a,".repeat(19)}b${"}".repeat(19)}`,
  `${"{a,".repeat(500)}b${"}".repeat(500)}`,
  "}".repeat(4_000),
  ",".repeat(4_000),
  "[".repeat(4_000),
  `${"[".repeat(4_000)}]`,
  "[]".repeat(2_000),
  "[!".repeat(2_000),
  `[${"a-z".repeat(1_300)}]`,
  "[[:alpha:]]".repeat(300),
  "[[:alpha:".repeat(300),
  "+(a)",
  "+(+(+(a)))",
  `${"+(".repeat(1_000)}a${")".repeat(1_000)}`,
  "@(a|b)",
  "!(a)",
  "*(*(*(a)))",
  "?(a)",
  "(".repeat(4_000),
  "(a|b)*(c)",
  "*".repeat(4_096),
  "?".repeat(4_096),
  "*".repeat(4_097),
  "..",
  `${"../".repeat(1_000)}x`,
  `${"a/".repeat(1_000)}..`,
  "/".repeat(4_096),
  "/a",
  "\\".repeat(4_096),
  "\0",
  "!a",
  `${"./".repeat(2_000)}x`,
  `${"a/./".repeat(1_000)}x`,
  "\ud800*",
  `*${"😀".repeat(1_000)}`,
  `${"*😀".repeat(1_000)}c`,
  `${"{".repeat(2_000)}${"[".repeat(2_000)}/]`,
  `${"{".repeat(1_300)}${"[a".repeat(1_300)}/]`,
  `${"{a,".repeat(18)}${"[a".repeat(1_900)}/]${"}".repeat(18)}`,
  `${"{{".repeat(1_000)}${"}}".repeat(1_000)}`,
  `${"[[:".repeat(1_300)}a:]]`,
  `${"[[:alpha:][".repeat(370)}/x`,
  `[${"a-b".repeat(1_300)}]?*[${"b".repeat(100)}]`,
  ...MANY_ALTERNATIVES,
];

const HOSTILE_PATHS = [
  "a".repeat(40),
  "a".repeat(255),
  `${"a".repeat(254)}b`,
  "ab".repeat(127),
  Array(2_000).fill("a").join("/"),
  Array(500).fill("ab").join("/"),
  Array(100).fill("a".repeat(40)).join("/"),
  Array(16).fill("a".repeat(255)).join("/"),
  Array(2_000).fill("a").join("/").concat("/b"),
  Array(1_000).fill("a/b").join("/"),
  "😀".repeat(60),
  Array(100).fill("😀a").join("/"),
  "[".repeat(80),
  "{a,b}".repeat(16),
  "*".repeat(80),
  "?".repeat(80),
  "(".repeat(80),
  ".".repeat(80),
  ".git/config",
  "__proto__/constructor",
  `${"a".repeat(70)}123`,
  "a".repeat(4_000),
  "-rf",
  "x",
];

describe("a hostile glob", () => {
  it.each(named(HOSTILE_GLOBS))(
    "$name is refused, or matched against every hostile path (C82, C83, C84, C85, C86)",
    ({ pattern }) => {
      const outcome = matchAll(pattern);
      const ended =
        Array.isArray(outcome) ||
        isFilesystemError(outcome, "EINVAL") ||
        isFilesystemError(outcome, "EACCES");
      expect(ended, String(outcome)).toBe(true);
    },
    HARD_CAP_MS,
  );

  const counted = HOSTILE_GLOBS.filter(
    (_, index) => process.env["WINK_MORE_ROUNDS"] !== undefined || index % 10 === 0,
  );

  it.each(named(counted))(
    "$name takes a limited number of steps for one path (C82, TM-6)",
    ({ pattern }) => {
      for (const path of HOSTILE_PATHS)
        for (const question of ["matches", "mayContain"] as const)
          expect(countSteps(pattern, question, path)).toBeLessThan(MAX_STEPS_OF_MATCH + 20_000);
    },
    HARD_CAP_MS,
  );
});

describe("a hostile glob over many files", () => {
  const names = Array.from({ length: 3_000 }, (_, index) => `${"a".repeat(70)}${index}`);
  const entries = names.map((name) => entry(name, () => contentOf("hit")));
  const compile = (pattern: string) =>
    compileGlob(pattern, { operation: "glob", ...DEFAULT_LIMITS });

  it.each(named(MANY_ALTERNATIVES))(
    "$name ends with what matches or EINVAL, in glob and in grep (C82, C83, FS-41, TM-6)",
    async ({ pattern }) => {
      const found = await globOf(entries, compile(pattern)).catch((error: unknown) => error);
      expect(Array.isArray(found) || isFilesystemError(found, "EINVAL"), String(found)).toBe(true);
      const options = { glob: compile(pattern), maxMatches: 10_000 };
      const searched = await grepOf(entries, "hit", options).catch((error: unknown) => error);
      // Both match the same paths, so both have the same outcome.
      expect(isFilesystemError(searched)).toBe(isFilesystemError(found));
      if (Array.isArray(found)) expect(searched).toHaveLength(found.length);
    },
    HARD_CAP_MS,
  );

  it("still finds all matches (C83, FS-39)", async () => {
    const found = await globOf(entries, compile(`*${"a".repeat(30)}[ac]*{1..999}`));
    // All names end in one of the numbers, except names that end in 0, 1000 and 2000.
    expect(found).toHaveLength(2_997);
  });

  /** Each name needs new states: a wildcard tail makes the automaton remember where every `a` was. */
  const FORGETFUL = `*a${"?".repeat(60)}`;
  const varied = Array.from({ length: 3_000 }, (_, index) =>
    entry(
      Array.from({ length: 200 }, (_, at) =>
        (index * 31 + at * at * 7 + (index >> (at % 11))) % 3 === 0 ? "a" : "b",
      ).join("") + index,
      () => contentOf("hit"),
    ),
  );

  it("lets other events run (C82, TM-6)", async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 0);
    await globOf(
      varied,
      compileGlob(FORGETFUL, { operation: "glob", maxPatternCharacters: 4_096 }),
    );
    clearInterval(timer);
    // Without pauses the event loop would run at most once or twice.
    expect(turns).toBeGreaterThan(4);
  });

  it("fails with a reason that says how to fix the pattern when its steps are used up (FS-41, C83)", async () => {
    const limited = { operation: "glob", maxPatternCharacters: 4_096, maxSlowGlobSteps: 10_000 };
    await expect(globOf(varied, compileGlob(FORGETFUL, limited))).rejects.toMatchObject({
      code: "EINVAL",
      operation: "glob",
      path: FORGETFUL,
      message: expect.stringContaining("put fewer alternatives into its braces"),
    });
  });
});

function matchAll(pattern: string): unknown {
  try {
    const glob = compileGlob(pattern, { operation: "glob", maxPatternCharacters: 4_096 });
    return HOSTILE_PATHS.filter((path) => glob.matches(path) && glob.mayContain(path));
  } catch (error) {
    return error;
  }
}

/** The number of steps to decide about one path, or to reach the limit. */
function countSteps(pattern: string, question: "matches" | "mayContain", path: string): number {
  try {
    const glob = compileGlob(pattern, { operation: "glob", maxPatternCharacters: 4_096 });
    try {
      glob[question](path);
    } catch (error) {
      expect(error).toMatchObject({ code: "EINVAL" });
    }
    return glob.takeWork() * STEPS_PER_WORK;
  } catch {
    return 0;
  }
}

import { describe, expect, it } from "vitest";
import { FileContent } from "../../content/file-content.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import { isFilesystemError } from "../../protocol/filesystem-error.js";
import { compileGrep } from "./grep-engine.js";
import { grepFiles } from "./grep-files.js";
import { GREP_OPTIONS } from "./grep-options.test.support.js";
import { HARD_CAP_MS, named } from "./hostile-patterns.test.support.js";

const MAX_SLOW_MS = 150;

const HOSTILE_TEXTS = [
  `${"a".repeat(40)}!`,
  "a".repeat(5_000),
  `${"a".repeat(100_000)}!`,
  `${" ".repeat(100_000)}x`,
  `${"\t \t".repeat(20_000)}x`,
  "x".repeat(5_000),
  `${"x=".repeat(2_000)}`,
  "ab".repeat(20_000),
  `${"ab".repeat(50)}c`,
  "0123456789".repeat(3_000),
  `${"a,".repeat(10_000)}`,
  `"${"\\".repeat(30_000)}`,
  `<${"a ".repeat(10_000)}`,
  "((((((((((((((((((((".repeat(500),
  "\n".repeat(50_000),
  "a\n".repeat(20_000),
  "\r\n".repeat(20_000),
  "😀".repeat(10_000),
  `${"é".repeat(10_000)}!`,
  "user@".repeat(5_000),
  "1.1.1.1.".repeat(5_000),
  "",
];

const HOSTILE_REGEXES = [
  "(a+)+$",
  "(a*)*$",
  "(a|a)*$",
  "(a|aa)+$",
  "(a|a?)+$",
  "(.*)*x$",
  "(.+)+!!",
  "([a-z]+)*!!",
  "(a+){10}y",
  "(a+a+)+y",
  "((a+)+)+y",
  "(?:a+)+(?:b+)+!!",
  "(\\w+\\s?)*$!",
  "^(\\w+\\s*)+:$",
  "\\s+$",
  "\\s+\\S+\\s+$",
  "^\\s+|\\s+$",
  "(\\s*,?\\s*)*;",
  ".*.*=.*",
  ".*.*.*.*.*!!",
  "a.*b.*c.*d.*e",
  "(.*,){20}x",
  "^(.*?,){30}P",
  "(x+x+)+y",
  "(x=+)+y",
  '"(\\\\.|[^"])*"$',
  '^"(\\\\?.)*"$',
  "<(\\s*\\w+\\s*)*>",
  "(\\d+)*\\.(\\d+)*!",
  "^(\\d+\\.?)+$!",
  "^([a-zA-Z0-9._]+)+@([a-z]+)+\\.com$",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(?=(a+)+$)b",
  "(?!(a+)+$)b!",
  "(?<=(a+)+)!!",
  "(?<!(a+)+)!!",
  "(a+)\\1+$!",
  "^(a+)\\1*!!",
  "(.+)\\1\\1!",
  "^(?:.?.?.?.?.?.?.?.?.?.?)*!!",
  "(a?){40}a{40}!",
  "(a{0,100}){0,100}!",
  "(?:a{1,1000}){1,1000}b",
  "((((a{0,9}){0,9}){0,9}){0,9})!",
  `${"a?".repeat(60)}${"a".repeat(60)}!`,
  `${"a?".repeat(1_000)}${"a".repeat(1_000)}`,
  `${"(?:a|b)".repeat(500)}c`,
  `${"\\p{L}".repeat(50)}!!`,
  `${"\\p{L}".repeat(800)}`,
  `${"[^\\p{L}]".repeat(51)}`,
  "(".repeat(50_000),
  `${"(".repeat(2_000)}a${")".repeat(2_000)}`,
  `${"(?:".repeat(99)}a${")*".repeat(99)}b`,
  "a{1,1000}{1,1000}{1,1000}",
  "(?:".repeat(20).concat("a?", "){0,9}".repeat(20), "!"),
  "x{0,65535}y{0,65535}z",
  "[\\s\\S]*[\\s\\S]*[\\s\\S]*!!",
  "(\\n|.)*!!",
  "(?:[^x]|y)*$!",
  "((ab)*)*c!",
  "(ab|a|b)*c!",
  "(?:(?:é|e)+)+$!",
  "(?:😀+)+$!",
  "|".repeat(4_000),
  "(?i)(a+)+$",
  "[",
  "a{2,1}",
];

describe("a hostile regular expression", () => {
  it.each(named(HOSTILE_REGEXES))(
    "$name ends with a result or EINVAL over every hostile text (C73, C74, C75, C76)",
    async ({ pattern }) => {
      const outcome = await search(pattern, HOSTILE_TEXTS).catch((error: unknown) => error);
      const ended = Array.isArray(outcome) || isFilesystemError(outcome, "EINVAL");
      expect(ended, String(outcome)).toBe(true);
    },
    HARD_CAP_MS,
  );

  it.each([
    { pattern: "(a+)+$", text: `${"a".repeat(40)}!`, case: "C73" },
    { pattern: "\\s+$", text: `${" ".repeat(300_000)}x`, case: "C74" },
    { pattern: ".*.*[=~].*", text: "x".repeat(30_000), case: "C74" },
    { pattern: "(?=(a+)+$)b|c(?=(a+)+$)", text: `c${"a".repeat(40)}!`, case: "C75" },
    { pattern: "^(a+)(\\1|a)*$!?$", text: `${"a".repeat(60)}!`, case: "C75" },
  ])(
    "$pattern is stopped for being slow, and other events run in the meantime ($case)",
    async ({ pattern, text }) => {
      let turns = 0;
      const timer = setInterval(() => turns++, 1);
      const outcome = await search(pattern, [text]).catch((error: unknown) => error);
      clearInterval(timer);
      expect(outcome).toMatchObject({
        code: "EINVAL",
        message: expect.stringContaining(`the pattern took too long (over ${MAX_SLOW_MS} ms)`),
      });
      // It ran for at least 150 ms. If it blocked this thread, the event loop would have run only once or twice.
      expect(turns).toBeGreaterThan(10);
    },
    HARD_CAP_MS,
  );

  it("does not affect the next search (C73)", async () => {
    await search("(a+)+$", [`${"a".repeat(40)}!`]).catch(() => undefined);
    expect(await search("a+!", [`${"a".repeat(40)}!`])).toHaveLength(1);
  });
});

describe("a hostile literal", () => {
  it.each([
    ["a".repeat(4_000), "a".repeat(3_000_000)],
    [`${"a".repeat(2_000)}b${"a".repeat(2_000)}`, "a".repeat(3_000_000)],
    [`${"a".repeat(4_000)}b`, "a".repeat(3_000_000)],
    [`b${"a".repeat(4_000)}`, "a".repeat(3_000_000)],
    ["aaaaab", "a".repeat(3_000_000)],
  ])(
    "in row %# ends with a result or EINVAL (C74)",
    async (pattern, text) => {
      const outcome = await search(pattern, [text]).catch((error: unknown) => error);
      expect(Array.isArray(outcome) || isFilesystemError(outcome, "EINVAL")).toBe(true);
    },
    HARD_CAP_MS,
  );
});

async function search(pattern: string, texts: readonly string[]): Promise<readonly unknown[]> {
  const engine = compileGrep(pattern, { ...GREP_OPTIONS, maxSlowRegexMs: MAX_SLOW_MS });
  return await grepFiles({
    entries: texts.map((text, index) => ({
      path: `${index}.txt` as VirtualPath,
      kind: "file",
      load: () => FileContent.ofText(text, Buffer.byteLength(text), "r"),
    })),
    base: "" as VirtualPath,
    engine,
    maxMatches: 1_000,
    maxFileBytes: 32 * 1024 * 1024,
  });
}

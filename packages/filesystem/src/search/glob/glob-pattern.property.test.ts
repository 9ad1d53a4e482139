import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { compileGlob } from "./glob-pattern.js";

const options = { operation: "glob", maxPatternCharacters: 4_096 };
const RUNS = Number(
  process.env["WINK_GLOB_RUNS"] ?? (process.env["WINK_MORE_ROUNDS"] ? 5_000 : 800),
);

/**
 * Names with all characters that are glob syntax. The deliberate differences (specs/decisions/0002) are left out: characters
 * beyond U+FFFF, which picomatch counts as two, and parentheses and ranges, which have tests below.
 */
const name = fc
  .array(
    fc.constantFrom(
      "a",
      "b",
      "c",
      ".",
      "ab",
      "x.ts",
      "[a]",
      "[ab]",
      "[",
      "]",
      "{a,b}",
      "{",
      "}",
      ",",
      " ",
      "é",
      "日",
      "-",
      "+",
      "@",
      "!",
      "$",
      "^",
      "|",
    ),
    { minLength: 1, maxLength: 3 },
  )
  .map((parts) => parts.join(""))
  .filter((text) => text !== "." && text !== "..");
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((segments) => segments.join("/"));

const piece = fc.constantFrom(
  ...["a", "b", "c", ".", "ab", "x.ts", "é", "日", " ", "-", "*", "*", "?"],
  ...["[ab]", "[a-b]", "[^a]", "[!a]", "[[:alpha:]]", "[]a]", "[a-]", "[é日]", "[a].ts"],
  ...["{a,b}", "{a,b*}", "{x.ts,ab}", "{,a}", "{a,{b,c}}", "{a,b}/**", "**"],
  ...[
    "@(a|b)",
    "+(a|b)",
    "*(a|b)",
    "?(a|b)",
    "!(a)",
    "!(a|b)",
    "@(a|*b)",
    "+([ab])",
    "!(*.ts)",
    "@(a|+(b))",
  ],
);
const segment = fc.oneof(
  { weight: 4, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map((p) => p.join("")) },
  { weight: 1, arbitrary: fc.constant("**") },
);
const pattern = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join("/"))
  .filter((text) => !/(?:^|[/{,(|])\.{1,2}(?:[/},)|]|$)|^!(?!\()|\/$|\/\//.test(text));

describe("compileGlob", () => {
  it("matches what picomatch matches with dot and posix (C82, C84, FS-39)", () => {
    fc.assert(
      fc.property(pattern, fc.array(path, { minLength: 1, maxLength: 20 }), (glob, paths) => {
        const ours = compileGlob(glob, options);
        const theirs = picomatch(glob, {
          dot: true,
          posix: true,
          nonegate: true,
          basename: !glob.includes("/"),
          maxExtglobRecursion: false,
        } as picomatch.PicomatchOptions);
        expect(paths.filter((each) => ours.matches(each))).toEqual(
          paths.filter((each) => theirs(each)),
        );
      }),
      { numRuns: RUNS },
    );
  });

  it("never stops a walk before a matching file (C84)", () => {
    fc.assert(
      fc.property(pattern, path, (glob, file) => {
        const compiled = compileGlob(glob, options);
        fc.pre(compiled.matches(file));
        const segments = file.split("/");
        const parents = segments.map((_, index) => segments.slice(0, index).join("/"));
        expect(parents.filter((parent) => !compiled.mayContain(parent))).toEqual([]);
      }),
      { numRuns: RUNS },
    );
  });
});

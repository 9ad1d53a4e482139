import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, it } from "vitest";
import { expandBraces } from "./expand-braces.js";
import { compileGlob } from "./glob-pattern.js";

const options = { operation: "glob", maxPatternCharacters: 4_096 };

/**
 * The part of picomatch's dialect that we share. Left out, with the reason:
 * - number and letter ranges in braces: picomatch makes `{1..10}` the class `[1-10]` unless it is given an expander;
 * - parentheses: a group of an expression there, themselves here, because folders are named so;
 * - `?` and classes on characters beyond U+FFFF: half a character there, a whole one here;
 * - `[!a]`: picomatch takes the `!` for a member unless told otherwise; `[^a]` is the same in both;
 * - `{a,b*}/**` against `b`: after a segment that ends in `*` a final `**` needs something to match, in
 *   picomatch too, but only when it is written without braces;
 * - `**{a,b}`: crosses slashes there; here `**` does only as a whole segment, and is a `*` otherwise;
 * - `***`: picomatch then takes a dot before it for any character; here it is a `*`;
 * - names that end in a dot: `*.*` wants something after it there;
 * - empty and `.` segments: they drop out here, as they do from paths.
 */
const name = fc
  .array(fc.constantFrom("a", "b", ".", "ab", "x.ts"), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(""))
  .filter((text) => !text.endsWith("."));
const path = fc.array(name, { minLength: 1, maxLength: 5 }).map((segments) => segments.join("/"));

const piece = fc.constantFrom(
  "a",
  "b",
  ".",
  "ab",
  "*",
  "?",
  "[ab]",
  "[a-b]",
  "[^a]",
  "{a,b}",
  "{a,b*}",
  "{x.ts,ab}",
);
const segment = fc.oneof(
  { weight: 3, arbitrary: fc.array(piece, { minLength: 1, maxLength: 4 }).map((p) => p.join("")) },
  { weight: 1, arbitrary: fc.constant("**") },
);
const pattern = fc
  .array(segment, { minLength: 1, maxLength: 4 })
  .map((segments) => segments.join("/"))
  .filter((text) => !/(?:^|\/)\.{1,2}(?:\/|$)|\*\}(?:\/\*\*)+$|\*\*\{|\*{3}/.test(text))
  // More would stand for over 1,000 patterns.
  .filter((text) => text.split("{").length <= 9);

/** Of parts that make many patterns and parts that these have in common, in one segment or after a directory. */
const manyAlternatives = fc
  .array(fc.constantFrom("{1..12}", "{a,b,c}", "{9..11}", "log-", ".txt", "*", "?", "[a-c]"), {
    minLength: 2,
    maxLength: 6,
  })
  .map((parts) => parts.join(""))
  .filter((text) => text.split("{").length <= 3)
  .chain((text) => fc.constantFrom(text, `d/${text}`, `**/${text}`, `${text}/*`, `${text}/**/x*`));
const likelyPath = fc
  .array(fc.constantFrom("1", "10", "12", "a", "c", "log-", ".txt", "x", "/", "d/"), {
    minLength: 1,
    maxLength: 7,
  })
  .map(
    (parts) =>
      parts
        .join("")
        .replace(/\/+/g, "/")
        .replace(/^\/|\/$/g, "") || "a",
  );

describe("a glob", () => {
  it("matches what picomatch matches with dot: true (C82, C84)", () => {
    fc.assert(
      fc.property(pattern, fc.array(path, { minLength: 1, maxLength: 20 }), (glob, paths) => {
        const ours = compileGlob(glob, options);
        const theirs = picomatch(glob, { dot: true, basename: !glob.includes("/") });
        expect(paths.filter((each) => ours.matches(each))).toEqual(
          paths.filter((each) => theirs(each)),
        );
      }),
      { numRuns: 5_000 },
    );
  });

  it("matches what its alternatives match one by one, however many they are (C83)", () => {
    fc.assert(
      fc.property(
        manyAlternatives,
        fc.array(likelyPath, { minLength: 1, maxLength: 20 }),
        (glob, paths) => {
          const whole = compileGlob(glob, options);
          const each = expandBraces(glob, options).map((text) => compileGlob(text, options));
          expect(paths.filter((path) => whole.matches(path))).toEqual(
            paths.filter((path) => each.some((alternative) => alternative.matches(path))),
          );
        },
      ),
      { numRuns: 3_000 },
    );
  });

  it("never keeps a walk from what it matches (C84)", () => {
    fc.assert(
      fc.property(pattern, path, (glob, file) => {
        const compiled = compileGlob(glob, options);
        fc.pre(compiled.matches(file));
        const segments = file.split("/");
        const parents = segments.map((_, index) => segments.slice(0, index).join("/"));
        expect(parents.filter((parent) => !compiled.mayContain(parent))).toEqual([]);
      }),
      { numRuns: 5_000 },
    );
  });
});

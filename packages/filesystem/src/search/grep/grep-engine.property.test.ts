import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { GrepMatch } from "../../protocol/filesystem.js";
import { isFilesystemError } from "../../protocol/filesystem-error.js";
import { compileGrep, type GrepEngine } from "./grep-engine.js";
import { GREP_OPTIONS } from "./grep-options.test.support.js";

const options = { ...GREP_OPTIONS, maxSlowRegexMs: 5_000 };

/** A naive implementation of `grep`. */
function searchNaively(pattern: string, flags: string, text: string) {
  const regex = new RegExp(pattern, flags);
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  return lines.flatMap((line, index) => {
    const lineContent = line.replace(/\r?\n$/, "");
    const match = regex.exec(lineContent);
    if (match === null) return [];
    const matchStart = match.index;
    const matchEnd = matchStart + match[0].length;
    return [{ path: "x", lineNumber: index + 1, lineContent, matchStart, matchEnd }];
  });
}

const atom = fc.constantFrom(
  ..."abA. ".split(""),
  ...["foo", "ab", "\\.", "\\-", "\\t", "\\r", "\\x61", "\\u0062", "\\0", "\\cJ", "\\12", "{", "]"],
  ...["\\s", "\\S", "\\w", "\\W", "\\d", "\\D", "[ab]", "[^a]", "[^-a]", "[\\s\\S]", "[\\sx]"],
  ...["[^\\s]", "[\\t-\\r]", "[a-]", "[]", "[^]", "[^\\n]", "[\\W_]", "\\1", "\\k", "\u2028", "é"],
  ...["😀", "\\ud83d", "\\ude00"],
);
const assertion = fc.constantFrom("^", "$", "\\b", "\\B");
const quantifier = fc.constantFrom(
  "",
  "",
  "",
  "",
  "*",
  "+",
  "?",
  "{0}",
  "{1,2}",
  "{2}",
  "*?",
  "+?",
);

const { disjunction } = fc.letrec<{ disjunction: string; sequence: string; term: string }>(
  (tie) => ({
    disjunction: fc
      .array(tie("sequence"), { minLength: 1, maxLength: 2 })
      .map((all) => all.join("|")),
    sequence: fc.array(tie("term"), { maxLength: 4 }).map((all) => all.join("")),
    term: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      fc.tuple(atom, quantifier).map(([what, times]) => what + times),
      assertion,
      fc
        .tuple(
          fc.constantFrom("(", "(?:", "(?<n>", "(?=", "(?!", "(?<=", "(?<!"),
          tie("disjunction"),
          quantifier,
        )
        .map(([open, inner, times]) => `${open}${inner})${/[=!]$/.test(open) ? "" : times}`),
    ),
  }),
);

const text = fc
  .array(
    fc.constantFrom(
      "a",
      "b",
      "A",
      "ab",
      "foo",
      ".",
      " ",
      "\t",
      "\n",
      "\n",
      "\r\n",
      "\r",
      "\u2028",
      "é",
      "😀",
      "👍",
      "\0",
      "\b",
    ),
    { maxLength: 24 },
  )
  .map((parts) => parts.join(""));

/** The plain test command makes a fifth of the runs of CI. */
const SHARE = process.env["WINK_MORE_ROUNDS"] === undefined ? 5 : 1;

describe("grep", () => {
  it.each([
    { flags: "", runs: 5_000 / SHARE },
    { flags: "i", runs: 1_000 / SHARE },
  ])("matches each line separately, with flags '$flags' (C78, C79)", async ({ flags, runs }) => {
    await fc.assert(
      fc.asyncProperty(disjunction, text, async (pattern, content) => {
        const engine = compileOrSkip(pattern, flags === "i");
        const matches = await searchOne(engine, content);
        const mode = pattern.includes("😀") ? `${flags}u` : flags;
        expect(matches).toEqual(searchNaively(pattern, mode, content));
        if (matches.length === 0) return;
        expect(engine.mightMatch(content)).toBe(true);
        expect(engine.mightMatchBytes(Buffer.from(content))).toBe(true);
      }),
      { numRuns: runs },
    );
  });

  it.each(["😀{", "😀}", "]😀"])("refuses %s, a lone bracket in Unicode mode (C79)", (pattern) => {
    expect(() => compileGrep(pattern, options)).toThrow("invalid regular expression: ");
  });

  it("matches each line separately in Unicode mode (C78)", async () => {
    const unicodePattern = fc
      .array(
        fc.constantFrom(
          "\\p{L}",
          "\\P{L}",
          "\\u{61}",
          "[^\\p{L}]",
          "\\s",
          "\\W",
          "a",
          "😀",
          ".",
          "+",
          "?",
          "$",
          "^",
        ),
        { minLength: 1, maxLength: 5 },
      )
      .map((parts) => `${parts.join("")}|\\u{7a}`);
    await fc.assert(
      fc.asyncProperty(unicodePattern, fc.boolean(), text, async (pattern, ignoreCase, content) => {
        const engine = compileOrSkip(pattern, ignoreCase);
        const flags = ignoreCase ? "iu" : "u";
        expect(await searchOne(engine, `${content}😀`)).toEqual(
          searchNaively(pattern, flags, `${content}😀`),
        );
      }),
      { numRuns: 300 },
    );
  });

  it("finds the same lines in the worker as on this thread (C73)", async () => {
    await fc.assert(
      fc.asyncProperty(disjunction, fc.array(text, { maxLength: 5 }), async (pattern, texts) => {
        compileOrSkip(pattern, false);
        // Too long for this thread, with the same meaning.
        const engine = compileGrep(
          `(?:)${pattern.includes("|") ? `(?:${pattern})` : pattern}${"(?:)".repeat(130)}`,
          options,
        );
        try {
          const { matches } = await engine.search(
            texts.map((content) => ({ path: "x", text: content })),
            1_000,
          );
          const flags = pattern.includes("😀") ? "u" : "";
          const expected = texts.flatMap((content) => searchNaively(pattern, flags, content));
          expect(matches).toEqual(expected);
        } finally {
          engine.close();
        }
      }),
      { numRuns: 25 },
    );
  });
});

async function searchOne(engine: GrepEngine, content: string): Promise<readonly GrepMatch[]> {
  const found = await engine.search([{ path: "x", text: content }], 100);
  engine.close();
  return found.matches;
}

/** Patterns that JavaScript refuses must be refused. Patterns that only WINK refuses are not compared. */
function compileOrSkip(pattern: string, ignoreCase: boolean): GrepEngine {
  try {
    return compileGrep(pattern, { ...options, ignoreCase });
  } catch (error) {
    expect(isFilesystemError(error, "EINVAL")).toBe(true);
    return fc.pre(false) as never;
  }
}

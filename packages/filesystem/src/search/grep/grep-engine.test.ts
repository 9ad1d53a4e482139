import { describe, expect, it } from "vitest";
import { type CompileGrepOptions, compileGrep } from "./grep-engine.js";
import { GREP_OPTIONS } from "./grep-options.test.support.js";

const defaults: CompileGrepOptions = GREP_OPTIONS;

type Overrides = Partial<CompileGrepOptions>;

/** Line number and matched text of each match. */
async function find(pattern: string, text: string, overrides: Overrides = {}, remaining = 100) {
  const engine = compileGrep(pattern, { ...defaults, ...overrides });
  const { matches } = await engine.search([{ path: "x", text }], remaining);
  engine.close();
  return matches.map(({ lineNumber, lineContent, matchStart, matchEnd }) => [
    lineNumber,
    lineContent.slice(matchStart, matchEnd),
  ]);
}

function refusal(pattern: string, overrides: Overrides = {}): unknown {
  try {
    return compileGrep(pattern, { ...defaults, ...overrides });
  } catch (error) {
    return error;
  }
}

describe("a match", () => {
  it("is the first on its line, in UTF-16 code units, and frozen (C81)", async () => {
    const engine = compileGrep("b+", defaults);
    const texts = [
      { path: "one", text: "a\n😀bb b\n" },
      { path: "two", text: "none" },
      { path: "three", text: "b" },
    ];
    const found = await engine.search(texts, 10);
    expect(found).toEqual({
      matches: [
        { path: "one", lineNumber: 2, lineContent: "😀bb b", matchStart: 2, matchEnd: 4 },
        { path: "three", lineNumber: 1, lineContent: "b", matchStart: 0, matchEnd: 1 },
      ],
      more: false,
    });
    expect(found.matches.every((match) => Object.isFrozen(match))).toBe(true);
  });

  it.each([
    ["^b", "a\nb\r\nab\n", [[2, "b"]]],
    [
      "b$",
      "ab\r\nb a\nb",
      [
        [1, "b"],
        [3, "b"],
      ],
    ],
    ["a\\s+b", "a\nb\na b", [[3, "a b"]]],
    ["a[^x]*b", "a\nb\nayb", [[3, "ayb"]]],
    ["\\s$", "a\r\nb \n", [[2, " "]]],
    [
      "^$",
      "a\n\n\r\nb\n",
      [
        [2, ""],
        [3, ""],
      ],
    ],
    ["a\\b(?!\\n)", "a\nb", [[1, "a"]]],
    [
      "^a|^b",
      "a\rb\nb\u2028a",
      [
        [1, "a"],
        [2, "b"],
      ],
    ],
  ])(
    "of %s is within one line and never includes the line end (C78)",
    async (pattern, text, found) => {
      expect(await find(pattern, text)).toEqual(found);
    },
  );

  it.each([
    [
      "",
      "a\n\nb\n",
      [
        [1, ""],
        [2, ""],
        [3, ""],
      ],
    ],
    [
      "a*",
      "b\naa\n",
      [
        [1, ""],
        [2, "aa"],
      ],
    ],
    [
      "^",
      "a\nb",
      [
        [1, ""],
        [2, ""],
      ],
    ],
    ["x*$", "x\n", [[1, "x"]]],
    ["(?:)", "", []],
  ])("of %j may be empty, and there is one per line (C79)", async (pattern, text, found) => {
    expect(await find(pattern, text)).toEqual(found);
  });

  it("ends the search at the limit, which reports that there are more (C77)", async () => {
    const engine = compileGrep(".*", defaults);
    const texts = [
      { path: "a", text: "1\n2\n" },
      { path: "b", text: "3\n" },
    ];
    const counts: unknown[] = [];
    for (const remaining of [0, 1, 2, 3]) {
      const { matches, more } = await engine.search(texts, remaining);
      counts.push([matches.length, more]);
    }
    expect(counts).toEqual([
      [0, true],
      [1, true],
      [2, true],
      [3, false],
    ]);
  });
});

describe("a pattern", () => {
  it.each([
    ["\\p{Lu}+", "aÄB", {}, [[1, "ÄB"]]],
    ["\\u{1F600}", "a😀", {}, [[1, "😀"]]],
    ["(?<year>\\d{4})-\\k<year>", "1999-1999", {}, [[1, "1999-1999"]]],
    ["foo\\-bar", "foo-bar", {}, [[1, "foo-bar"]]],
    ["interface{}", "interface{}", {}, [[1, "interface{}"]]],
    ["(?<=a)b(?=c)", "abc", {}, [[1, "b"]]],
    ["todo", "ToDo", { ignoreCase: true }, [[1, "ToDo"]]],
    ["a.b", "axb\na.b", { literal: true }, [[2, "a.b"]]],
    ["A.B", "axb\na.b", { literal: true, ignoreCase: true }, [[2, "a.b"]]],
    ["a+(b", "a+(b", { literal: true }, [[1, "a+(b"]]],
    [
      "",
      "a\nb",
      { literal: true },
      [
        [1, ""],
        [2, ""],
      ],
    ],
  ])("%s means what it means in JavaScript (C78)", async (pattern, text, overrides, found) => {
    expect(await find(pattern, text, overrides)).toEqual(found);
  });

  it.each([
    ["(?i)todo", "use the ignoreCase option"],
    ["(?i:todo)", "use the ignoreCase option"],
    ["(?-s)x", "use the ignoreCase option"],
    ["(?P<name>x)", "(?<name>…)"],
    ["(?>a)", "a group starts with"],
    ["(?<n>a)|(?<n>b)", "two groups have the same name"],
    ["[[:alpha:]]", "use \\w"],
    ["a\\nb", "lines are searched one at a time"],
    ["a(?:\n)b", "lines are searched one at a time"],
  ])(
    "%j is refused by name on every version of Node, with advice (C78, FS-41)",
    (pattern, advice) => {
      expect(refusal(pattern)).toMatchObject({
        code: "EINVAL",
        operation: "grep",
        // Control characters are escaped.
        path: pattern.replaceAll("\n", "\\u{a}"),
        message: expect.stringContaining(advice),
      });
    },
  );

  it.each([
    ["(", "Unterminated group"],
    ["[", "Unterminated character class"],
    ["a{2,1}", "numbers out of order"],
    ["*a", "Nothing to repeat"],
    ["a)", "Unmatched"],
    ["\\p{Nonsense}", "Invalid property name"],
    ["x".repeat(1_000_000), "longer than 4096 characters"],
    ["(".repeat(50_000), "longer than 4096 characters"],
    ["(".repeat(2_000), "nested more than 100 deep"],
    ["a?".repeat(60).concat("a".repeat(60)), "too complex"],
    ["(?:".repeat(30).concat("a?", "){3}".repeat(30)), "too complex"],
    ["\\b".repeat(40), "too complex"],
    ["\\p{L}".repeat(100), "more than 50 property classes"],
  ])(
    "that is invalid or too large fails with EINVAL and a short message (C76): row %#",
    (pattern, reason) => {
      const error = refusal(pattern);
      expect(error).toMatchObject({ code: "EINVAL", message: expect.stringContaining(reason) });
      expect(String(error).length).toBeLessThan(250);
    },
  );

  it("of plain text cannot contain a line break (C78)", () => {
    expect(refusal("a\nb", { literal: true })).toMatchObject({ code: "EINVAL" });
  });

  it.each([
    [
      "https?:\\/\\/(?:www\\.)?[\\w.-]+(?::\\d+)?(?:\\/[^\\s?#]*)?(?:\\?[^\\s#]*)?(?:#\\S*)?",
      "http://x.y/z?q#f",
    ],
    [
      "(?:public|private)?\\s*(?:static)?\\s*(?:async)?\\s*(?:get|set)?\\s*\\w+\\s*\\(",
      "static async run(",
    ],
    ["\\d{4}-\\d{2}-\\d{2}(?:T\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d+)?)?Z?)?", "2026-01-31T10:20:30.5Z"],
    ["\\b(?:foo|bar|baz|qux|quux|corge|grault|garply|waldo|fred|plugh|xyzzy|thud)\\b", "waldo"],
  ])("that people write is not too complex (C76): row %#", async (pattern, text) => {
    expect(await find(pattern, text)).toEqual([[1, text]]);
  });
});

describe("a long line", () => {
  it.each([
    { line: `${"x".repeat(50)}match${"y".repeat(50)}`, content: "…xxxxxxmatchyyyyyyy…" },
    { line: `match${"y".repeat(50)}`, content: "matchyyyyyyyyyyyyy…" },
    { line: `${"x".repeat(50)}match`, content: "…xxxxxxxxxxxxxmatch" },
    { line: `${"x".repeat(15)}match`, content: `${"x".repeat(15)}match` },
  ])("is clipped around its match: $content (C80)", async ({ line, content }) => {
    const engine = compileGrep("match", { ...defaults, maxGrepLineCharacters: 20 });
    const { matches } = await engine.search([{ path: "x", text: `\n${line}\n` }], 1);
    const start = content.indexOf("match");
    expect(matches).toEqual([
      { path: "x", lineNumber: 2, lineContent: content, matchStart: start, matchEnd: start + 5 },
    ]);
  });

  it("shows only as much of a match as fits (C80)", async () => {
    const engine = compileGrep("m+", { ...defaults, maxGrepLineCharacters: 10 });
    const { matches } = await engine.search([{ path: "x", text: `aaaa${"m".repeat(50)}` }], 1);
    expect(matches).toMatchObject([{ lineContent: "…mmmmmmmm…", matchStart: 1, matchEnd: 9 }]);
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7, 8, 9])(
    "clipped to %i splits no character (C80, C81)",
    async (max) => {
      const engine = compileGrep("x", { ...defaults, maxGrepLineCharacters: max });
      const text = `${"😀".repeat(20)}x${"😀".repeat(20)}`;
      const { matches } = await engine.search([{ path: "x", text }], 1);
      const [
        { lineContent, matchStart, matchEnd } = {
          lineContent: "\ud800",
          matchStart: 1,
          matchEnd: 0,
        },
      ] = matches;
      expect(lineContent.isWellFormed()).toBe(true);
      expect(lineContent.length).toBeLessThanOrEqual(max);
      expect(matchStart).toBeLessThanOrEqual(matchEnd);
      expect(lineContent.slice(matchStart, matchEnd)).toBe(max >= 3 ? "x" : "");
    },
  );

  it("of 20 MB is searched and clipped (C80)", async () => {
    const text = `${"var a=1;".repeat(2_500_000)}needle${"b".repeat(1_000)}`;
    const found = await find("n\\w{4}e", text);
    expect(found).toEqual([[1, "needle"]]);
  });
});

describe("text that cannot match", () => {
  it.each([
    ["TODO", "todo", false],
    ["TODO", "a TODO", true],
    ["foo.*bar", "bar", false],
    ["(?:a|b)xyz", "xy", false],
    ["function\\s+(\\w+)", "fun", false],
    ["a|b", "c", true],
    ["x?y*", "", true],
  ])("is recognised without a search: %s in %j (C77)", (pattern, text, might) => {
    expect(compileGrep(pattern, defaults).mightMatch(text)).toBe(might);
  });

  it("is not recognised when case is ignored (C77)", () => {
    expect(compileGrep("TODO", { ...defaults, ignoreCase: true }).mightMatch("todo")).toBe(true);
  });
});

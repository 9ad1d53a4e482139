import fc from "fast-check";
import { expect, it } from "vitest";
import { highlightLines } from "./highlight.js";
import { languageOf } from "./languages.js";
import { visibleParts, visibleText } from "./visible-text.js";

/** The coloured words of a text, as `kind:text`. */
function coloured(path: string, text: string): readonly string[] {
  const tokens = highlightLines(text, languageOf(path)).flat();
  return tokens.flatMap((token) => (token.kind ? [`${token.kind}:${token.text}`] : []));
}

it("names of colours follow the language", () => {
  expect(coloured("a.ts", "const a = f(1); // no\n/* two\nlines */ `x\ny`")).toEqual([
    ...["keyword:const", "title:f", "number:1", "comment:// no"],
    ...["comment:/* two", "comment:lines */", "string:`x", "string:y`"],
  ]);
  expect(coloured("a.py", 'def f():\n  """doc\n  """\n  return "x" # end')).toEqual([
    ...["keyword:def", "title:f", 'string:"""doc', 'string:  """', "keyword:return"],
    ...['string:"x"', "comment:# end"],
  ]);
  expect(coloured("a.json", '{"a": ["b", -1.5, null]}')).toEqual([
    ...['attr:"a"', 'string:"b"', "number:-1.5", "keyword:null"],
  ]);
  expect(coloured("a.html", '<p class="x">a</p><!-- no -->')).toEqual([
    ...["keyword:<p", "attr:class", 'string:"x"', "keyword:>", "keyword:</p", "keyword:>"],
    "comment:<!-- no -->",
  ]);
  expect(coloured("a.md", "# Title\n- `code` **bold**")).toEqual([
    ...["keyword:# Title", "number:- ", "string:`code`", "title:**bold**"],
  ]);
  expect(coloured("a.yaml", "name: x # no\nurl: a#b")).toEqual([
    "attr:name",
    "comment:# no",
    "attr:url",
  ]);
  expect(coloured("a.sh", "for i in $X; do echo 'a'; done")).toEqual([
    ...["keyword:for", "keyword:in", "attr:$X", "keyword:do", "string:'a'", "keyword:done"],
  ]);
  expect(coloured("a.css", "@media x { a { color: #fff; } }")).toEqual([
    ...["keyword:@media", "attr:color", "number:#fff"],
  ]);
  expect(coloured("a.sql", "SELECT a FROM b -- c")).toEqual([
    "keyword:SELECT",
    "keyword:FROM",
    "comment:-- c",
  ]);
  expect(coloured("a.patch", "+new\n-old")).toEqual(["string:+new", "deletion:-old"]);
});

it("colours change no character of any text and keep its lines", () => {
  const pieces = fc.constantFrom(
    '"',
    "'",
    "`",
    "/*",
    "*/",
    "//",
    "#",
    "<!--",
    "-->",
    "<a",
    "\n",
    " ",
    "\\",
    "x",
    "1",
    "```",
    "'''",
    "\u202e",
  );
  const paths = [
    "a.ts",
    "a.py",
    "a.sh",
    "a.sql",
    "a.json",
    "a.html",
    "a.css",
    "a.md",
    "a.diff",
    "a",
  ];
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 40 }), fc.constantFrom(...paths), (parts, path) => {
      const text = parts.join("");
      const lines = highlightLines(text, languageOf(path));
      expect(lines.map((line) => line.map((token) => token.text).join("")).join("\n")).toBe(text);
    }),
    { numRuns: 500 },
  );
});

it("200,000 characters without an end take at most one step per character (IN-29)", () => {
  for (const start of ["/*", "`", '"', "<!--", '"""', "#", "aaaa", "((((", "\\\\", "- - ", '\\"'])
    for (const path of ["a.ts", "a.py", "a.html", "a.md", "a.sh", "a.css", "a.json"])
      highlightLines(start.repeat(Math.floor(200_000 / start.length)), languageOf(path));
});

it("the language follows from the end of the name only", () => {
  expect(languageOf("src/a.tsx")).toBe(languageOf("b.JS"));
  expect(languageOf("Dockerfile")).toBe(languageOf("a.sh"));
  for (const path of ["constructor", "a.constructor", "a.__proto__", ""])
    expect(languageOf(path)).toBeUndefined();
});

it("characters that hide or reorder text become visible (IN-29)", () => {
  expect(visibleText("a\u202eb\u0007c\u200bd\tend\n")).toBe("aU+202EbU+0007cU+200Bd\tend\n");
  expect(visibleParts("x\u2066y")).toEqual([
    { text: "x", hidden: false },
    { text: "U+2066", hidden: true },
    { text: "y", hidden: false },
  ]);
});

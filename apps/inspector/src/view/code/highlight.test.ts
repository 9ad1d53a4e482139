import { expect, it } from "vitest";
import { highlightLines } from "./highlight.js";
import { languageOf } from "./languages.js";
import { visibleParts, visibleText } from "./visible-text.js";

const SAMPLES = {
  "a.ts": 'import { x } from "y";\n/* two\nlines */ const a: number = 1;\n',
  "a.py": 'def f(x):\n    """doc\n    string"""\n    return x + 1\n',
  "a.json": '{"a": [1, true, "<script>alert(1)</script>"]}',
  "a.html": '<p onclick="x()">&amp;</p>\n<script>let a = `\n`;</script>',
  "a.md": "# Title\n\n- *one* <b>two</b>\n\n```js\nlet a\n```\n",
};

it("colours change no character of a text and keep its lines", () => {
  for (const [path, text] of Object.entries(SAMPLES)) {
    const lines = highlightLines(text, languageOf(path));
    expect(lines.map((line) => line.map((token) => token.text).join("")).join("\n")).toBe(text);
    expect(lines.flat().filter(({ kind }) => kind !== undefined).length, path).toBeGreaterThan(0);
  }
});

it("the language follows from the end of the name only", () => {
  expect(languageOf("src/a.tsx")).toBe("typescript");
  expect(languageOf("constructor")).toBeUndefined();
  expect(languageOf("a.constructor")).toBeUndefined();
  expect(languageOf("a.__proto__")).toBeUndefined();
});

it("characters that hide or reorder text become visible", () => {
  expect(visibleText("a\u202eb\u0007c\u200bd\tend\n")).toBe("aU+202EbU+0007cU+200Bd\tend\n");
  expect(visibleParts("x\u2066y")).toEqual([
    { text: "x", hidden: false },
    { text: "U+2066", hidden: true },
    { text: "y", hidden: false },
  ]);
});

import { describe, expect, it } from "vitest";
import {
  clipPath,
  oneLine,
  oneLineWithPaths,
  pad,
  printable,
  safeJson,
  safeText,
  stringWidth,
  wrap,
} from "../terminal/terminal-text.js";
import { count, size } from "./amounts.js";
import { describeCall } from "./describe-call.js";

describe("untrusted text", () => {
  it.each([
    ["\u001b[2Jgone", "�[2Jgone"],
    ["a\nb\tc", "a b c"],
    ["\u202Eleft", "�left"],
    ["0123456789abc", "012345678…"],
    ["👩🏽 and more than fits", "👩🏽 and mo…"],
  ])("%j becomes one line without control characters (CL-7)", (given, shown) => {
    expect(oneLine(given, 10)).toBe(shown);
  });

  it("of several lines keeps its line breaks and no other control characters (CL-7)", () => {
    expect(safeText("a\r\n\tb\u0008\u009b31m")).toBe("a�\n\tb��31m");
  });

  it("within our own text keeps our colours, and no other control sequences (CL-5, CL-7)", () => {
    const text = "\u001b[31mred\u001b[39m \u001b[8mhidden \u001b]0;title\u0007 \u{e0001}";
    expect(printable(text, true)).toBe("\u001b[31mred\u001b[39m �[8mhidden �]0;title� �");
    expect(printable("\u001b[31mred", false)).toBe("�[31mred");
  });

  it("in JSON is the same value for a program, with escaped control characters (CL-4, CL-7)", () => {
    const value = { text: "\u009b31m\u202E\u{e0001}\u001b\n" };
    expect(safeJson(value)).toMatch(/^[\n -~]*$/);
    expect(JSON.parse(safeJson(value))).toEqual(value);
  });

  it("is wrapped between words, and inside of a word that is too long (CL-10)", () => {
    expect(wrap("one two three fourteen characters 日本語日本語", 9)).toEqual([
      "one two",
      "three",
      "fourteen",
      "character",
      "s 日本語",
      "日本語",
    ]);
  });

  it.each([
    ["src/a.ts", 20, "src/a.ts"],
    ["packages/adapters/src/handler.ts", 20, "packages…/handler.ts"],
    ["a/very-long-file-name.test.ts", 15, "very-lo…test.ts"],
    ["日本語/日本語のテスト.txt", 24, "日本…/日本語のテスト.txt"],
  ])("as the path %s keeps its file name in %d columns (CL-12)", (path, width, shown) => {
    expect(clipPath(path, width)).toBe(shown);
    expect(stringWidth(shown)).toBeLessThanOrEqual(width);
  });

  it.each([
    ["✓ 9 ms, src/adapter/lambda/handler.ts", "✓ 9 ms, src/adap…/handler.ts"],
    ["src/a/b/one.ts → src/c/d/two.ts", "src/…/one.ts → src/c…/two.ts"],
    ["added src/日本語/長いテスト.ts", "added src/日…/長いテスト.ts"],
    ["src/a.ts (1 place)", "src/a.ts (1 place)"],
  ])("as a line, %s keeps its file names (CL-12)", (text, shown) => {
    const paths = text.match(/src\S+/g) ?? [];
    expect(oneLineWithPaths(text, paths, 28)).toBe(shown);
  });

  it("fills a column by its width on the screen (CL-12)", () => {
    expect([pad("日本", 6), pad("ab", 6), pad("👩🏽", 3)]).toEqual(["日本  ", "ab    ", "👩🏽 "]);
  });
});

it.each([
  [{ file_path: "a.js", content: "x" }, "a.js"],
  ['{"pattern":"x","path":"src"}', "x"],
  [{ from: "a", to: "b" }, "a → b"],
  [{ step_id: "1", status: "completed" }, "1 → completed"],
  [{ anything: 3, other: "text" }, "text"],
  ["no JSON", ""],
  [undefined, ""],
])("describeCall describes a call with %j as '%s' (CL-12)", (input, subject) => {
  expect(describeCall(input)).toBe(subject);
});

it("count and size format amounts for people", () => {
  expect([count(1, "file"), count(1234, "file"), count(0, "child", "children")]).toEqual([
    "1 file",
    "1,234 files",
    "0 children",
  ]);
  expect([size(1), size(999), size(1000), size(1_500_000)]).toEqual([
    "1 byte",
    "999 bytes",
    "1.0 kB",
    "1.5 MB",
  ]);
});

import { expect, it } from "vitest";
import type { FileRow } from "../../model/run-views.js";
import { treeRows } from "./file-rows.js";
import { seenLines, writersOf } from "./line-facts.js";

const file = (path: string): FileRow => ({
  path,
  kind: "file",
  sizeBytes: 1,
  mode: 0o644,
  content: "c",
});

it("a tree has directories first, and closes them on request unless the chosen file is inside", () => {
  const entries = [file("b.txt"), file("src/z.ts"), file("src/deep/a.ts"), file("__proto__/x")];
  const paths = (toggled: string[], chosen?: string) =>
    treeRows(entries, new Set(toggled), chosen).map(({ path }) => path);
  const all = ["__proto__", "__proto__/x", "src", "src/deep", "src/deep/a.ts", "src/z.ts", "b.txt"];
  expect(paths([])).toEqual(all);
  expect(paths(["src", "__proto__"])).toEqual(["__proto__", "src", "b.txt"]);
  expect(paths(["src"], "src/z.ts")).toEqual(all);
});

it("marks of read and written lines stay inside the file", () => {
  const range = { from: 2, to: 900, call: 1, isCurrent: false };
  expect([...seenLines(4, [range, { ...range, from: 3, to: 3, isCurrent: true }])]).toEqual([
    0, 1, 2, 1,
  ]);
  const writer = { from: -3, to: 2, sequence: 9, call: 1, child: null };
  expect(writersOf(3, [writer])).toEqual([writer, writer, undefined]);
});

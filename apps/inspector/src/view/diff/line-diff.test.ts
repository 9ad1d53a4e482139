import fc from "fast-check";
import { expect, it } from "vitest";
import { lineDiff, linesOf } from "./line-diff.js";

const text = fc
  .array(fc.constantFrom("a", "b", "c", "d", ""), { maxLength: 40 })
  .map((lines) => lines.join("\n"));

it("a diff with all gaps open contains every line of both texts, in order", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const everything = new Set(Array.from({ length: 200 }, (_, index) => index));
      const { rows, added, removed } = lineDiff(before, after, everything);
      const side = (without: string) =>
        rows.flatMap((row) => (row.kind === "gap" || row.kind === without ? [] : [row.text]));
      // jsdiff compares each line with its newline, so a last line without one counts as changed.
      expect(side("added")).toEqual(linesOf(before));
      expect(side("removed")).toEqual(linesOf(after));
      expect(rows.filter(({ kind }) => kind === "added")).toHaveLength(added);
      expect(rows.filter(({ kind }) => kind === "removed")).toHaveLength(removed);
    }),
    { numRuns: 300 },
  );
});

it("unchanged lines far from a change become a gap that can be opened", () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index}`);
  const before = `${lines.join("\n")}\n`;
  const after = before.replace("line 20\n", "other\n");
  const { rows } = lineDiff(before, after);
  expect(rows.map(({ kind }) => kind)).toEqual([
    ...["gap", "same", "same", "same", "removed", "added", "same", "same", "same", "gap"],
  ]);
  expect(rows[0]).toMatchObject({ lines: 17 });
  const first = rows[0];
  const open = lineDiff(before, after, new Set([first?.kind === "gap" ? first.index : -1]));
  expect(open.rows).toHaveLength(9 + 17);
});

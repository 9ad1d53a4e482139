import { expect, it } from "vitest";
import { describeConflicts, describeMerge } from "./describe-merge.js";
import type { MergeConflict } from "./merge-conflict.js";

it("the report lists the first conflicts and the number of the others, merged or not (AD-32)", () => {
  const conflicts = Array.from({ length: 500 }, (_, index): MergeConflict => {
    const side = new TextEncoder().encode("line\n".repeat(10_000));
    const sides = { base: undefined, ours: side, theirs: side };
    return {
      path: `${index}.txt`,
      reason: "both-added",
      ...sides,
      keptAt: `${index}.txt.subagent`,
    };
  });
  const report = { merged: true, written: [], deleted: [], combined: [], conflicts };
  const lines = describeMerge(report).split("\n");
  expect(lines).toHaveLength(21);
  expect(lines[0]).toBe(
    "Conflict in '0.txt': the subagent and another change added this file with different contents; the subagent's is at '0.txt.subagent'.",
  );
  expect(lines[20]).toBe("And 480 more conflicts.");
  const text = describeConflicts(conflicts);
  expect(text).toMatch(/And 480 more conflicts\.$/);
  expect(text.length).toBeLessThan(200_000);
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { type Comparison, compareRuns } from "./compare-runs.js";
import type { CallRow, RunOverview, TurnRow } from "./run-overview.js";

/** A run with these calls. Each call is written as `tool:input:status`. */
function runOf(calls: readonly string[], requests: readonly string[] = []): RunOverview {
  const rows = calls.map((text, index) => {
    const [tool = "", input = "", status = "ok"] = text.split(":");
    return { index, tool, inputKey: `${tool} ${input}`, status } as unknown as CallRow;
  });
  const turns = requests.map((requestKey, index) => ({ index, requestKey }) as unknown as TurnRow);
  // Only these fields are compared.
  return { calls: rows, turns } as unknown as RunOverview;
}

it("equal calls are aligned, then calls of the same tool between them (IN-6)", () => {
  const left = runOf(["plan:1", "grep:a", "replace:x", "edit:1", "test:1"]);
  const right = runOf(["plan:1", "grep:b", "edit:1:failed", "test:1", "done:1"]);
  expect(compareRuns(left, right).rows).toEqual([
    { type: "same", left: 0, right: 0 },
    { type: "input", left: 1, right: 1 },
    { type: "left", left: 2, right: null },
    { type: "outcome", left: 3, right: 2 },
    { type: "same", left: 4, right: 3 },
    { type: "right", left: null, right: 4 },
  ]);
});

it("the first request that differs is named, also where one run ends earlier (IN-6)", () => {
  const compare = (a: readonly string[], b: readonly string[]) =>
    compareRuns(runOf([], a), runOf([], b)).firstRequest;
  expect(compare(["a", "b"], ["a", "b"])).toBeNull();
  expect(compare(["a", "b", "c"], ["a", "x", "c"])).toEqual({ left: 1, right: 1 });
  expect(compare(["a", "b"], ["a"])).toEqual({ left: 1, right: null });
});

const calls = fc.array(
  fc.tuple(
    fc.constantFrom("a", "b", "c"),
    fc.constantFrom("1", "2"),
    fc.constantFrom("ok", "failed"),
  ),
  { maxLength: 14 },
);

it("a comparison names every call once, in order, and its mirror image is the comparison the other way round (IN-6)", () => {
  fc.assert(
    fc.property(calls, calls, (a, b) => {
      const [left, right] = [a, b].map((list) => runOf(list.map((call) => call.join(":"))));
      if (left === undefined || right === undefined) throw new Error("two runs");
      const there = compareRuns(left, right);
      const back = compareRuns(right, left);
      const sides = (rows: Comparison["rows"], side: "left" | "right") =>
        rows.map((row) => row[side]).filter((each) => each !== null);
      expect(sides(there.rows, "left")).toEqual(left.calls.map(({ index }) => index));
      expect(sides(there.rows, "right")).toEqual(right.calls.map(({ index }) => index));
      expect(new Set(there.rows.map((row) => JSON.stringify(row)))).toEqual(
        new Set(back.rows.map((row) => JSON.stringify(mirrored(row)))),
      );
    }),
    { numRuns: 300, seed: 26 },
  );
});

function mirrored({ type, left, right }: Comparison["rows"][number]) {
  const other = type === "left" ? "right" : type === "right" ? "left" : type;
  return { type: other, left: right, right: left };
}

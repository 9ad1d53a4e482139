import { expect, it } from "vitest";
import { TimeSlices } from "../content/time-slices.js";
import { entryOf } from "../snapshots/tree-fixture.test.support.js";
import { pairRenames } from "./rename-pairs.js";
import { diffLines, MAX_DIFF_STEPS } from "./unified-patch-line-diff.js";

it("a line diff of reversed texts stays within its step limit and is still correct (FS-91)", async () => {
  const before = Array.from({ length: 150_000 }, (_, index) => `${index}\n`);
  const after = before.toReversed();
  let steps = 0;
  const onSteps = (taken: number) => {
    steps = taken;
  };
  const changes = await diffLines(before, after, { slices: new TimeSlices(), onSteps });
  // The search that exceeds the limit may finish its round.
  expect(steps).toBeLessThan(MAX_DIFF_STEPS + 1_000);
  const made: string[] = [];
  let position = 0;
  for (const { aStart, aEnd, bStart, bEnd } of changes) {
    for (; position < aStart; position++) made.push(before[position] ?? "");
    for (let index = bStart; index < bEnd; index++) made.push(after[index] ?? "");
    position = aEnd;
  }
  for (; position < before.length; position++) made.push(before[position] ?? "");
  expect(made.join("")).toBe(after.join(""));
});

it.each([1_000, 2_000, 4_000])(
  "pairing %i equal files with new names reads each path a constant number of times (FS-91)",
  async (count) => {
    let reads = 0;
    const counted = (folder: string) =>
      Array.from({ length: count }, (_, index) => {
        const path = `${folder}/${folder}${index}`;
        return Object.defineProperty({ ...entryOf(path, "equal") }, "path", {
          get: () => {
            reads++;
            return path;
          },
        });
      });
    const options = { sameBackend: true, slices: new TimeSlices() };
    const pairs = await pairRenames(counted("a"), counted("b"), options);
    expect(pairs).toHaveLength(count);
    expect(reads).toBeLessThanOrEqual(4 * count);
  },
);

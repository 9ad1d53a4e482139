import { expect, it } from "vitest";
import { formatBytes, formatCost, formatDuration, formatShort, plural } from "./numbers.js";

it("numbers are short and have their unit", () => {
  expect([0, 812, 4812, 41_000, 1_200_000].map(formatShort)).toEqual([
    "0",
    "812",
    "4.8k",
    "41k",
    "1.2M",
  ]);
  expect([0.42, 27, 1900, 130_000, 3_723_000, Number.NaN].map(formatDuration)).toEqual([
    ...["0.4 ms", "27 ms", "1.9 s", "2:10", "1:02:03", "–"],
  ]);
  expect([0, 999, 1500, 2_000_000].map(formatBytes)).toEqual(["0 B", "999 B", "1.5 kB", "2 MB"]);
  expect([0, 0.0012, 0.21].map(formatCost)).toEqual(["$0", "$0.0012", "$0.21"]);
  expect([plural(1, "file"), plural(2000, "file")]).toEqual(["1 file", "2,000 files"]);
});

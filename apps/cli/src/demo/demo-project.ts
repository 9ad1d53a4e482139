/**
 * The project that the demo's agent repairs. One line has two bugs: `sort` compares numbers as
 * strings, and it sorts the caller's array in place.
 */
export const DEMO_PROJECT: Readonly<Record<string, string>> = {
  "README.md": "# Parcels\n\nHow long parcels take.\n",
  "package.json": `${JSON.stringify(
    { name: "parcels", private: true, type: "module", scripts: { test: "node --test" } },
    null,
    2,
  )}\n`,
  "src/delivery.js": `/** How long a typical parcel takes: half of them are faster. */
export function medianDays(days) {
  const sorted = days.sort();
  return sorted[Math.floor(sorted.length / 2)];
}

/** The slowest parcels first, at most \`limit\` of them. */
export function slowest(days, limit = 3) {
  return [...days].sort((a, b) => b - a).slice(0, limit);
}
`,
  "src/report.js": `import { medianDays, slowest } from "./delivery.js";

export function report(days) {
  return \`median \${medianDays(days)} days, slowest \${slowest(days).join(", ")}\`;
}
`,
  "test/delivery.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { medianDays, slowest } from "../src/delivery.js";
import { report } from "../src/report.js";

test("the median is the parcel in the middle", () => {
  assert.equal(medianDays([1, 3, 2]), 2);
});

test("ten days are more than nine", () => {
  assert.equal(medianDays([9, 10, 100]), 10);
});

test("the slowest parcels come first", () => {
  assert.deepEqual(slowest([2, 30, 4]), [30, 4, 2]);
});

test("a report leaves the list as it was", () => {
  const days = [3, 1, 2];
  assert.equal(report(days), "median 2 days, slowest 3, 2, 1");
  assert.deepEqual(days, [3, 1, 2]);
});
`,
};

/** The project's test file. */
export const DEMO_TEST_FILE = "test/delivery.test.js";

/** The files that the recorded agent works on. */
export const PROJECT: Readonly<Record<string, string>> = {
  "README.md": "# Parcels\n\nHow long parcels take.\n",
  "package.json": '{\n  "name": "parcels",\n  "private": true,\n  "type": "module"\n}\n',
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
  return \`median \${medianDays(days)} days, slowest \${slowest(days).join(", ")} of the parcels\`;
}
`,
  "src/types.ts":
    "export type Days = readonly number[];\nexport interface Parcel {\n  readonly id: string;\n  readonly days: number;\n}\n",
  "scripts/median.py":
    "def median(days):\n    ordered = sorted(days)\n    return ordered[len(ordered) // 2]\n",
  "test/delivery.test.js": `import assert from "node:assert/strict";
import { test } from "node:test";
import { medianDays } from "../src/delivery.js";

test("ten days are more than nine", () => {
  assert.equal(medianDays([9, 10, 100]), 10);
});
`,
};

/** A picture of 2 × 2 pixels. */
export const PICTURE: Uint8Array = Buffer.from(
  "iVBORw0KGgoAAAANSUhEUgAAAAIAAAACCAIAAAD91JpzAAAAFklEQVR4nGP4z8DAwMDAxMDAwMDAAAANHQEDasKb6QAAAABJRU5ErkJggg==",
  "base64",
);

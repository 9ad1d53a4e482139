import fc from "fast-check";
import { expect, it } from "vitest";
import { revealOffset, rowHeights, rowWindow } from "./row-window.js";

it("the drawn rows cover the view and stay few", () => {
  const heights = fc.oneof(
    fc.integer({ min: 10, max: 40 }),
    fc.constant((index: number) => 20 + (index % 3) * 10),
  );
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5000 }),
      heights,
      fc.nat(200_000),
      fc.nat(2000),
      (count, height, offset, view) => {
        const rows = rowHeights(count, height);
        const viewport = { offset: Math.min(offset, Math.max(0, rows.total - view)), height: view };
        const { from, to } = rowWindow(count, rows, viewport);
        expect(rows.top(from)).toBeLessThanOrEqual(viewport.offset);
        if (to < count) expect(rows.top(to)).toBeGreaterThanOrEqual(viewport.offset + view);
        expect(to - from).toBeLessThanOrEqual(view / 10 + 2 * 8 + 2);
      },
    ),
    { numRuns: 300 },
  );
});

it("a revealed row is in view, and a visible one does not scroll", () => {
  const rows = rowHeights(100, 20);
  expect(revealOffset(rows, 3, { offset: 0, height: 200 })).toBe(0);
  expect(revealOffset(rows, 50, { offset: 0, height: 200 })).toBe(820);
  expect(revealOffset(rows, 2, { offset: 500, height: 200 })).toBe(40);
});

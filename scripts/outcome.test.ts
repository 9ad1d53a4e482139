import { expect, it } from "vitest";
import { closingLine, outcomeOf } from "./outcome.js";

it("outcomeOf counts an item without problems as passed and each problem as a failure", () => {
  expect(outcomeOf([{ problems: [] }, { problems: ["a", "b"] }])).toEqual({
    passed: 1,
    failed: 2,
    skipped: 0,
    failures: ["a", "b"],
    notes: [],
  });
});

it("closingLine has the sums, and the skipped tests only if there are any", () => {
  const outcome = { passed: 2, failed: 1, skipped: 0, failures: [], notes: [] };
  expect(closingLine([outcome, outcome])).toBe("4 passed, 2 failed");
  expect(closingLine([outcome, { ...outcome, skipped: 3 }])).toBe("4 passed, 2 failed, 3 skipped");
});

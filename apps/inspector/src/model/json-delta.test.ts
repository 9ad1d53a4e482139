import fc from "fast-check";
import { expect, it } from "vitest";
import { applyDelta, jsonDelta } from "./json-delta.js";

it("a change applied to the value before it gives the value after it, also through JSON (IN-1)", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
      const delta = jsonDelta(before, after);
      const stored = delta && JSON.parse(JSON.stringify(delta));
      const result = stored === undefined ? before : applyDelta(before, stored);
      expect(JSON.stringify(sorted(result))).toBe(JSON.stringify(sorted(after)));
    }),
    { numRuns: 1_000, seed: 26 },
  );
});

it("a key named __proto__ is a key (IN-14)", () => {
  const before = JSON.parse('{"a":1,"__proto__":{"x":1}}');
  const after = JSON.parse('{"a":1,"__proto__":{"x":2},"constructor":3}');
  const delta = jsonDelta(before, after);
  const result = applyDelta(before, JSON.parse(JSON.stringify(delta)));
  expect(JSON.stringify(result)).toBe('{"a":1,"__proto__":{"x":2},"constructor":3}');
  expect(({} as { x?: number }).x).toBeUndefined();
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? 0 : value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, each]) => [key, sorted(each)]),
  );
}

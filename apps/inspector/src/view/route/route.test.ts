import fc from "fast-check";
import { expect, it } from "vitest";
import { FILTERS, formatRoute, parseRoute, RANGES, type Route, TABS } from "./route.js";

const number = fc.option(fc.nat(1_000_000), { nil: undefined });
const row = fc.tuple(fc.constantFrom("", "0.41:"), fc.constantFrom("t", "c", "e"), fc.nat(999));
const rowName = row.map((parts) => parts.join(""));
const text = fc.option(fc.string({ minLength: 1, unit: "grapheme" }), { nil: undefined });
const routes: fc.Arbitrary<Route> = fc.record({
  run: fc.constantFrom(undefined, "0", "12"),
  at: fc.option(rowName, { nil: undefined }),
  tab: fc.constantFrom(...TABS),
  range: fc.constantFrom(...RANGES),
  ...{ a: number, b: number, path: text, slice: text },
  blame: fc.boolean(),
  query: fc.string({ unit: "grapheme" }),
  only: fc.subarray([...FILTERS]),
  open: fc.uniqueArray(fc.oneof(fc.constant("all"), rowName)),
  compare: fc.constantFrom(undefined, "1"),
  follow: fc.boolean(),
});

it("everything that the page shows survives in the address (IN-25)", () => {
  fc.assert(
    fc.property(routes, (route) => {
      expect(parseRoute(formatRoute(route))).toEqual(route);
    }),
    { numRuns: 200 },
  );
});

it("wrong parts of an address are ignored", () => {
  fc.assert(
    fc.property(fc.string(), (hash) => {
      parseRoute(hash);
    }),
  );
  const route = parseRoute(
    "#tab=nothing&range=x&at=z9&a=-1&b=1e9&only=failed,rude&open=all,<b>,c1",
  );
  expect(route).toMatchObject({
    tab: "changes",
    range: "call",
    only: ["failed"],
    open: ["all", "c1"],
  });
  expect([route.at, route.a, route.b]).toEqual([undefined, undefined, undefined]);
});

import fc from "fast-check";
import { expect, it } from "vitest";
import { compareBytes } from "./byte-order.js";

const name = fc.string({ unit: "binary", maxLength: 6 });
/** Names around the code points where the orders of UTF-16 and UTF-8 differ. */
const awkward = fc
  .array(fc.constantFrom("\ud7ff", "\ue000", "\uffff", "\u{10000}", "\u{10ffff}", "a", "\u00ff"), {
    maxLength: 4,
  })
  .map((characters) => characters.join(""));

it("compareBytes orders strings by their UTF-8 bytes (B72, FS-24)", () => {
  fc.assert(
    fc.property(fc.oneof(name, awkward), fc.oneof(name, awkward), (a, b) => {
      fc.pre(a.isWellFormed() && b.isWellFormed());
      expect(Math.sign(compareBytes(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
    { numRuns: 20_000 },
  );
});

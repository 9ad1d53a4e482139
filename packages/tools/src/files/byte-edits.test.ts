import fc from "fast-check";
import { expect, it } from "vitest";
import { StepCounter } from "../reply/step-counter.js";
import { findBytes } from "./byte-edits.js";

function naivePlaces(haystack: string, needle: string, overlapping: boolean): readonly number[] {
  const places: number[] = [];
  for (let at = haystack.indexOf(needle); at >= 0; ) {
    places.push(at);
    at = haystack.indexOf(needle, overlapping ? at + 1 : at + needle.length);
  }
  return places;
}

const bytes = (text: string) => Buffer.from(text, "latin1");

it("findBytes finds the same places as a naive search, also where it changes its method (TL-5)", async () => {
  // Few letters and long repeats make many places with the same first bytes.
  const text = fc
    .array(fc.constantFrom("a", "b", "a".repeat(70), "ab".repeat(40)), { maxLength: 60 })
    .map((parts) => parts.join(""));
  await fc.assert(
    fc.asyncProperty(
      text,
      text,
      fc.nat(400),
      fc.boolean(),
      async (haystack, other, from, overlapping) => {
        for (const needle of [other, haystack.slice(from, from + 90)].filter(
          (each) => each !== "",
        )) {
          const found = await findBytes(bytes(haystack), bytes(needle), {
            overlapping,
            steps: new StepCounter(),
          });
          expect(found).toEqual(naivePlaces(haystack, needle, overlapping));
        }
      },
    ),
    { numRuns: 300 },
  );
});

it.each([
  {
    what: "a periodic text",
    haystack: "a".repeat(2_000_000),
    needle: `${"a".repeat(20_000)}b${"a".repeat(20_000)}`,
  },
  {
    what: "a text that differs after its first bytes",
    haystack: "a".repeat(2_000_000),
    needle: `${"a".repeat(64)}b`,
  },
  { what: "lines", haystack: "aaaaaaa\n".repeat(250_000), needle: `${"aaaaaaa\n".repeat(5_000)}b` },
  { what: "ordinary code", haystack: "const a = 1;\n".repeat(150_000), needle: "const b = 2;" },
])("findBytes takes a linear number of steps for $what (TL-59)", async ({ haystack, needle }) => {
  const steps = new StepCounter();
  const options = { overlapping: true, steps };
  expect(await findBytes(bytes(haystack), bytes(needle), options)).toEqual([]);
  // One pass with `Buffer.indexOf`, four steps of its budget and one pass without it, per byte.
  expect(steps.total).toBeLessThan(7 * (haystack.length + needle.length));
  expect(steps.maxPerTurn).toBeLessThan(1_000_000);
});

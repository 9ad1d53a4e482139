import fc from "fast-check";
import { expect, it } from "vitest";
import { blameLines } from "./blame.js";

const edits = fc.array(fc.record({ at: fc.nat(30), remove: fc.nat(4), add: fc.nat(4) }), {
  minLength: 1,
  maxLength: 25,
});

it("each line belongs to the version that wrote it, for random histories with a known truth (IN-5)", async () => {
  await fc.assert(
    fc.asyncProperty(edits, async (list) => {
      // Every line is unique, so the version that wrote it is known.
      let lines: { readonly text: string; readonly by: number }[] = [];
      const versions = list.map(({ at, remove, add }, index) => {
        const sequence = (index + 1) * 10;
        const added = Array.from({ length: add }, (_, n) => ({
          ...{ text: `line ${n} of ${sequence}`, by: sequence },
        }));
        lines = [...lines.slice(0, at), ...added, ...lines.slice(at + remove)];
        return { sequence, text: lines.map(({ text }) => `${text}\n`).join("") };
      });
      expect(await blameLines(versions)).toEqual(lines.map(({ by }) => by));
    }),
    { numRuns: 200, seed: 26 },
  );
});

it("a last line without a newline, an emptied file and the first version are attributed (IN-5)", async () => {
  expect(await blameLines([{ sequence: 3, text: "a\nb" }])).toEqual([3, 3]);
  expect(
    await blameLines([
      { sequence: 3, text: "a\nb" },
      { sequence: 5, text: "a\nb\nc" },
    ]),
  ).toEqual([3, 5, 5]);
  expect(
    await blameLines([
      { sequence: 3, text: "a\n" },
      { sequence: 5, text: "" },
    ]),
  ).toEqual([]);
  expect(await blameLines([])).toEqual([]);
});

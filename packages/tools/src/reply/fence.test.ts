import fc from "fast-check";
import { expect, it } from "vitest";
import { chooseFence, fenced } from "./fence.js";

const text = fc
  .array(fc.constantFrom("`", "``````", "\n", "a", "stdout:", "… 5 characters left out …"))
  .map((parts) => parts.join(""));

it("chooseFence returns a fence that no text contains, even for hostile texts (SB-19, TL-56)", () => {
  fc.assert(
    fc.property(text, text, (one, other) => {
      const fence = chooseFence(one, other);
      expect(one.includes(fence) || other.includes(fence)).toBe(false);
      expect(fence.length).toBeLessThanOrEqual(40);
      expect(fenced("stdout:", one, fence)).toBe(`stdout:\n${fence}\n${one}\n${fence}`);
    }),
  );
  expect(chooseFence("`".repeat(40_000))).toMatch(/^output-[0-9a-f]{24}$/);
});

it("fenced puts the note about omitted text outside of the fences (SB-19, TL-56)", () => {
  const shown = fenced("stdout:", "x".repeat(500), "```", { maxCharacters: 100 });
  expect(shown).toMatch(/^stdout:\n```\nx+\n```\n… \d+ characters left out …\n```\nx+\n```$/);
});

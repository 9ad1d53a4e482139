import { describe, expect, it } from "vitest";
import { TimeSlices } from "../../content/time-slices.js";
import { MAX_LOOK_LENGTH, NeedleLook } from "./literal-prefilter.js";

describe("NeedleLook", () => {
  it.each([
    { needle: "needle", fill: "n" },
    { needle: "né€dle😀", fill: "n" },
    { needle: "d".repeat(64), fill: "x" },
  ])(
    "finds $needle in text and in bytes, also across two parts (C77)",
    async ({ needle, fill }) => {
      const look = new NeedleLook(needle);
      for (let offset = -needle.length * 4 - 2; offset <= 2; offset++) {
        const before = fill.repeat(MAX_LOOK_LENGTH + offset);
        const text = before + needle + fill.repeat(100);
        expect(await look.through(text, new TimeSlices())).toBe(true);
        expect(await look.through(Buffer.from(text), new TimeSlices())).toBe(true);
      }
    },
  );

  it.each([10, MAX_LOOK_LENGTH, MAX_LOOK_LENGTH + 1, 3 * MAX_LOOK_LENGTH])(
    "returns the same for %i characters as text and as bytes (C77)",
    async (length) => {
      const look = new NeedleLook("needle");
      const text = "needl".repeat(length / 5 + 1).slice(0, length);
      const isLong = length > MAX_LOOK_LENGTH;
      expect([look.inText(text), look.inBytes(Buffer.from(text))]).toEqual([isLong, isLong]);
      expect(await look.through(text, new TimeSlices())).toBe(false);
      expect(await look.through(Buffer.from(text), new TimeSlices())).toBe(false);
    },
  );

  it("counts its work once (TM-6)", () => {
    const look = new NeedleLook("needle");
    look.inText("x".repeat(16 * 1024));
    look.inBytes(Buffer.alloc(16 * 1024));
    expect([look.takeWork(), look.takeWork()]).toEqual([2, 0]);
  });

  it("accepts everything when no required text is known (C77)", async () => {
    const look = new NeedleLook("");
    const answers = [look.inText("a"), look.inBytes(Buffer.from("a")), look.takeWork()];
    expect([...answers, await look.through("a", new TimeSlices())]).toEqual([true, true, 0, true]);
  });
});

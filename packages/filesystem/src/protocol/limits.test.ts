import { describe, expect, it } from "vitest";
import { DEFAULT_LIMITS, resolveLimits, resolveQuotas } from "./limits.js";

describe("limits", () => {
  it("have these defaults (FS-73)", () => {
    expect(resolveLimits()).toEqual({
      maxWriteBytes: 33_554_432,
      maxReadFileBytes: 268_435_456,
      maxReadBytes: 33_554_432,
      defaultReadLines: 2_000,
      maxListEntries: 100_000,
      maxGlobMatches: 100_000,
      maxGrepMatches: 1_000,
      maxGrepLineCharacters: 500,
      maxGrepFileBytes: 33_554_432,
      maxPatternCharacters: 4_096,
      maxSlowRegexMs: 500,
      maxSlowGlobSteps: 30_000_000,
      streamChunkBytes: 65_536,
      maxPathDepth: 16,
      maxSegmentCharacters: 80,
      maxSegmentBytes: 255,
    });
    expect(Object.isFrozen(DEFAULT_LIMITS)).toBe(true);
  });

  it("can be set separately (FS-73)", () => {
    const given = { maxPathDepth: 3 };
    const limits = resolveLimits(given);
    given.maxPathDepth = 4;
    expect([limits.maxPathDepth, limits.maxWriteBytes]).toEqual([3, 33_554_432]);
    expect(Object.isFrozen(limits)).toBe(true);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53, "7", null])(
    "and quotas refuse %s (FS-73)",
    (value) => {
      // Untyped callers can pass these values.
      const bad = value as number;
      expect(() => resolveLimits({ maxPathDepth: bad })).toThrow(
        "EINVAL: open '.': limits.maxPathDepth must be a whole number of at least 0.",
      );
      expect(() => resolveQuotas({ maxNodeCount: bad })).toThrow(
        "EINVAL: open '.': quotas.maxNodeCount must be a whole number of at least 0.",
      );
    },
  );

  it("and quotas refuse an unknown name and suggest the nearest one (FS-73)", () => {
    // Untyped callers can pass these values.
    const limits = { maxPathDeph: 3 } as object;
    const quotas = { maxFiles: 3 } as object;
    expect(() => resolveLimits(limits)).toThrow("Did you mean 'maxPathDepth'?");
    expect(() => resolveQuotas(quotas)).toThrow("quotas: unknown option 'maxFiles'.");
  });

  it("quotas are not set by default (FS-73)", () => {
    expect(resolveQuotas()).toEqual({});
    expect(resolveQuotas({ maxFileBytes: 0, maxTotalBytes: undefined })).toEqual({
      maxFileBytes: 0,
    });
  });
});

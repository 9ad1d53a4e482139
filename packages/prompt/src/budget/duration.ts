import { showValue } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";

/** Milliseconds, or a number with a unit: `"250ms"`, `"30s"`, `"2m"`, `"1.5h"`. */
export type Duration = number | `${number}${"ms" | "s" | "m" | "h"}`;

const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;

export function toMilliseconds(duration: Duration): number {
  const milliseconds = typeof duration === "number" ? duration : parse(duration);
  if (Number.isFinite(milliseconds) && milliseconds >= 0) return milliseconds;
  throw new PromptError(
    "DURATION_INVALID",
    `duration ${showValue(duration)}`,
    "this is not a duration. Use milliseconds from 0, or a text such as '250ms', '30s', '2m' or '1.5h'",
  );
}

function parse(text: unknown): number {
  const [, amount, unit] =
    /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(typeof text === "string" ? text : "") ?? [];
  // The pattern matches only the keys of UNIT_MS.
  return Number(amount) * UNIT_MS[unit as keyof typeof UNIT_MS];
}

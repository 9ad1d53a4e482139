import type { Cut } from "../../protocol/filesystem.js";

/**
 * Freezes a list and lets it say whether it was cut. What it says is not enumerable, so that the array
 * prints, compares and serialises as the list it is.
 */
export function cut<T, Extra extends object = object>(
  items: T[],
  truncated: boolean,
  extra?: Extra,
): Cut<T> & Extra {
  for (const [key, value] of Object.entries({ truncated, ...extra }))
    Object.defineProperty(items, key, { value });
  // The properties were defined just above.
  return Object.freeze(items) as unknown as Cut<T> & Extra;
}

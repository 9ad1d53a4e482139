import type { Cut } from "../../protocol/filesystem.js";

/**
 * Freezes a list and adds properties that are not enumerable, so that it prints, compares and serialises like a plain
 * array.
 */
export function cut<T, Extra extends object = object>(
  items: T[],
  truncated: boolean,
  extra?: Extra,
): Cut<T> & Extra {
  for (const [key, value] of Object.entries({ truncated, ...extra }))
    Object.defineProperty(items, key, { value });
  // The properties were defined above.
  return Object.freeze(items) as unknown as Cut<T> & Extra;
}

import type { Cut } from "../filesystem.js";

/**
 * A frozen array that says whether it was cut. What it says is not enumerable, so that the array
 * prints, compares and serialises as the list it is.
 */
export function cut<T, Extra extends object = object>(
  items: readonly T[],
  truncated: boolean,
  extra?: Extra,
): Cut<T> & Extra {
  const result = [...items];
  for (const [key, value] of Object.entries({ truncated, ...extra }))
    Object.defineProperty(result, key, { value });
  // The properties were defined just above.
  return Object.freeze(result) as unknown as Cut<T> & Extra;
}

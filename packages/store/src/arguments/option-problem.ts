import { describeKind } from "./describe-kind.js";
import { findValueProblem } from "./option-value.js";
import { quoted } from "./quoted.js";

/**
 * What is wrong with an options object that came from JavaScript, as the end of a message: `unknown option 'exclude'. Did you mean
 * 'excludeGlob'?`. `undefined` if every key is one of `known` and has a value of its kind. The caller puts its subject in front
 * and throws its own error.
 */
export function findOptionProblem(options: unknown, known: readonly string[]): string | undefined {
  return findUnknownOption(options, known) ?? findWrongValue(options);
}

/** Like `findOptionProblem`, for a caller that checks the values itself. */
export function findUnknownOption(options: unknown, known: readonly string[]): string | undefined {
  if (options === undefined) return undefined;
  if (typeof options !== "object" || options === null || Array.isArray(options))
    return `options must be an object, got ${describeKind(options)}.`;
  const unknown = Object.keys(options).find((key) => !known.includes(key));
  if (unknown === undefined) return undefined;
  const closest = closestName(unknown, known);
  const advice = closest === undefined ? listNames(known) : `Did you mean '${closest}'?`;
  return `unknown option ${quoted(unknown)}. ${advice}`;
}

function findWrongValue(options: unknown): string | undefined {
  const properties = Object.entries(Object.getOwnPropertyDescriptors(options ?? {}));
  // Skip getters: the value of a getter may not exist yet.
  for (const [name, { value, enumerable }] of properties) {
    const problem = enumerable ? findValueProblem(name, value) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** The name that a misspelt `name` most likely means, or `undefined` when none is similar. */
export function closestName(name: string, known: readonly string[]): string | undefined {
  const wanted = name.slice(0, MAX_COMPARED_CHARACTERS).toLowerCase();
  let best: { readonly name: string; readonly distance: number } | undefined;
  for (const each of known) {
    const distance = editDistance(wanted, each.toLowerCase());
    if (best === undefined || distance < best.distance) best = { name: each, distance };
  }
  const prefixed = known.find((each) => wanted.length > 2 && each.toLowerCase().startsWith(wanted));
  if (best !== undefined && best.distance <= Math.max(1, wanted.length / 3)) return best.name;
  return prefixed ?? known.find((each) => each.length > 3 && wanted.endsWith(each.toLowerCase()));
}

function listNames(known: readonly string[]): string {
  return known.length === 0 ? "There are no options." : `Options: ${known.join(", ")}.`;
}

/** The time to compare grows with the length. */
const MAX_COMPARED_CHARACTERS = 80;

/** Levenshtein's distance, and a swap of two neighbours counts as one step. */
function editDistance(left: string, right: string): number {
  let before: readonly number[] = [];
  let row: readonly number[] = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const next = [i];
    for (let j = 1; j <= right.length; j++) {
      const isSame = left[i - 1] === right[j - 1];
      const swapped =
        i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1];
      const steps = [at(row, j) + 1, at(next, j - 1) + 1, at(row, j - 1) + (isSame ? 0 : 1)];
      if (swapped) steps.push(at(before, j - 2) + 1);
      next.push(Math.min(...steps));
    }
    [before, row] = [row, next];
  }
  return at(row, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}

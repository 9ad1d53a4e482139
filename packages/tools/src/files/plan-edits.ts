import { StepCounter } from "../reply/step-counter.js";
import { findBytes } from "./find-bytes.js";
import type { Splice } from "./splice-bytes.js";

/** One replacement that the model requested. */
export interface TextEdit {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

export type EditProblem =
  | { readonly kind: "missing"; readonly edit: number }
  | {
      readonly kind: "ambiguous";
      readonly edit: number;
      readonly places: readonly number[];
      /** Whether the search stopped before it found all places. */
      readonly isCut: boolean;
    }
  | { readonly kind: "too-many"; readonly max: number }
  | { readonly kind: "overlap"; readonly edits: readonly [number, number] };

/** Each replacement uses memory, and a megabyte of one letter has a million places. */
const MAX_REPLACEMENTS = 100_000;

/**
 * Finds where each edit applies. All edits refer to the current content of the file.
 *
 * It compares bytes, so that all other bytes stay unchanged, even if they are not text. Overlapping places count
 * when it checks that a place is unique. `replaceAll` replaces from left to right without overlaps. Long searches
 * yield to the event loop.
 */
export async function planEdits(
  before: Uint8Array,
  edits: readonly TextEdit[],
): Promise<readonly Splice[] | EditProblem> {
  const steps = new StepCounter();
  const encoder = new TextEncoder();
  const planned: (Splice & { readonly edit: number })[] = [];
  for (const [edit, { oldString, newString, replaceAll }] of edits.entries()) {
    const needle = encoder.encode(oldString);
    const places = await findBytes(before, needle, {
      overlapping: !replaceAll,
      maxPlaces: MAX_REPLACEMENTS + 1,
      steps,
    });
    if (places.length === 0) return { kind: "missing", edit };
    if (places.length > 1 && !replaceAll)
      return { kind: "ambiguous", edit, places, isCut: places.length > MAX_REPLACEMENTS };
    if (planned.length + places.length > MAX_REPLACEMENTS)
      return { kind: "too-many", max: MAX_REPLACEMENTS };
    const bytes = encoder.encode(newString);
    for (const start of places) planned.push({ start, end: start + needle.length, bytes, edit });
  }
  planned.sort((one, other) => one.start - other.start);
  for (const [index, splice] of planned.entries()) {
    const next = planned[index + 1];
    if (next !== undefined && next.start < splice.end)
      return { kind: "overlap", edits: [splice.edit, next.edit] };
  }
  return planned;
}

export function isProblem(plan: readonly Splice[] | EditProblem): plan is EditProblem {
  return "kind" in plan;
}

import { findBytes } from "./find-bytes.js";
import type { Splice } from "./splice-bytes.js";

/** One replacement, as the model asked for it. */
export interface TextEdit {
  readonly oldString: string;
  readonly newString: string;
  readonly replaceAll: boolean;
}

export type EditProblem =
  | { readonly kind: "missing"; readonly edit: number }
  | { readonly kind: "ambiguous"; readonly edit: number; readonly places: readonly number[] }
  | { readonly kind: "overlap"; readonly edits: readonly [number, number] };

/**
 * Where each edit applies in the bytes of a file, all of them against the file as it is.
 *
 * It looks at bytes, so that everything outside the places found stays as it was,
 * text or not. A place is unique when it is the only one, overlapping ones counted;
 * `replaceAll` takes them from left to right.
 */
export function planEdits(
  before: Uint8Array,
  edits: readonly TextEdit[],
): readonly Splice[] | EditProblem {
  const encoder = new TextEncoder();
  const planned: (Splice & { readonly edit: number })[] = [];
  for (const [edit, { oldString, newString, replaceAll }] of edits.entries()) {
    const needle = encoder.encode(oldString);
    const places = findBytes(before, needle, { overlapping: !replaceAll });
    if (places.length === 0) return { kind: "missing", edit };
    if (places.length > 1 && !replaceAll) return { kind: "ambiguous", edit, places };
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

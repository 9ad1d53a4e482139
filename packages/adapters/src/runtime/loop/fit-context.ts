import { clip } from "../context/clip.js";
import type { ContextState } from "./context-state.js";

/** A shorter part of a result is of no use, so it is removed. */
const MIN_PART_CHARACTERS = 200;
const MIN_SUMMARY_CHARACTERS = 600;

interface Fit {
  readonly messageCount: number;
  /** How many characters a result may have before it is shortened. */
  readonly maxResultCharacters: number;
  readonly fits: (state: ContextState) => boolean;
}

/**
 * Shows less of the last results until they fit together, and none of them if that is necessary. Then the summary is
 * shortened too. Later results are shown as usual.
 */
export function fitContext(before: ContextState, { fits, ...given }: Fit): ContextState {
  const { messageCount: shrunkBefore } = given;
  let { maxResultCharacters } = given;
  let state = before;
  while (!fits(state) && maxResultCharacters > 0) {
    const half = Math.floor(maxResultCharacters / 2);
    maxResultCharacters = half < MIN_PART_CHARACTERS ? 0 : half;
    state = { ...state, shrunkBefore, maxResultCharacters };
  }
  while (!fits(state) && state.summary !== undefined) {
    const { summary } = state;
    const { text } = summary.message;
    if (text.length <= MIN_SUMMARY_CHARACTERS) break;
    const message = { ...summary.message, text: clip(text, Math.floor(text.length / 2)) };
    state = { ...state, summary: { ...summary, message } };
  }
  return state;
}

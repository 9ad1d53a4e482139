import { randomBytes } from "node:crypto";
import { type ClipOptions, clipPieces } from "./clip-text.js";

const MAX_BACKTICKS = 32;

/**
 * Chooses a line that separates a program's output from the tool's own text. No text contains it, so the output
 * cannot imitate the tool's text.
 */
export function chooseFence(...texts: readonly string[]): string {
  for (let fence = "```"; fence.length <= MAX_BACKTICKS; fence += "`")
    if (!texts.some((text) => text.includes(fence))) return fence;
  // Random and chosen after the texts were printed, so they cannot contain it.
  return `output-${randomBytes(12).toString("hex")}`;
}

/** Puts the text between fences, below a label. A note about an omitted part is outside of the fences. */
export function fenced(label: string, text: string, fence: string, options?: ClipOptions): string {
  const [head = "", note, tail = ""] = options ? clipPieces(text, options) : [text];
  const within = (part: string) => `${fence}\n${part}\n${fence}`;
  const parts = note === undefined ? [within(head)] : [within(head), note, within(tail)];
  return [label, ...parts].filter((part) => part !== "").join("\n");
}

import { randomBytes } from "node:crypto";
import { type ClipOptions, clipPieces } from "./clip-text.js";

const MAX_BACKTICKS = 32;

/**
 * A line that sets what a program printed off from the tool's own words. None of the texts holds it, so nothing
 * that a program prints can be taken for our words.
 */
export function chooseFence(...texts: readonly string[]): string {
  for (let fence = "```"; fence.length <= MAX_BACKTICKS; fence += "`")
    if (!texts.some((text) => text.includes(fence))) return fence;
  // The texts were printed before this is chosen, so they cannot hold it.
  return `output-${randomBytes(12).toString("hex")}`;
}

/** A label of ours, and below it the text between fences. What we say of a part that is left out stands outside them. */
export function fenced(label: string, text: string, fence: string, options?: ClipOptions): string {
  const [head = "", note, tail = ""] = options ? clipPieces(text, options) : [text];
  const within = (part: string) => `${fence}\n${part}\n${fence}`;
  const parts = note === undefined ? [within(head)] : [within(head), note, within(tail)];
  return [label, ...parts].filter((part) => part !== "").join("\n");
}

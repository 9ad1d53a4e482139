import { fail, type ToolFailure } from "@wink/prompt";
import type { NameTool } from "../reply/answer-error.js";
import { clipText } from "../reply/clip-text.js";
import { count } from "../reply/count.js";
import { quote } from "../reply/quote.js";
import { StepCounter } from "../reply/step-counter.js";
import type { EditProblem, TextEdit } from "./byte-edits.js";
import { findClosestMatch } from "./closest-match.js";

const MAX_LINES_NAMED = 5;
const MAX_CLOSEST_MATCH_CHARACTERS = 3_000;

/** Explains why an edit was not applied and how to fix it. Nothing was changed. */
export async function describeProblem(
  problem: EditProblem,
  file: { readonly path: string; readonly content: Uint8Array },
  edits: readonly TextEdit[],
  nameTool: NameTool,
): Promise<ToolFailure> {
  const name = quote(file.path);
  if (problem.kind === "overlap") {
    const [one, other] = problem.edits.map((edit) => edit + 1);
    return fail(`Edits ${one} and ${other} overlap in ${name}.`, {
      hint: "Each edit is applied to the current file. Combine these two into one.",
    });
  }
  if (problem.kind === "too-many")
    return fail(
      `The edits would make more than ${problem.max.toLocaleString("en")} replacements in ${name}.`,
      { hint: "Give a longer old_string, or change the file in parts." },
    );
  const which = edits.length === 1 ? "" : `Edit ${problem.edit + 1}: `;
  if (problem.kind === "ambiguous") {
    const all = lineNumbers(file.content, problem.places);
    const lines = all.slice(0, MAX_LINES_NAMED);
    const more = all.length > lines.length ? " and more" : "";
    return fail(
      `${which}old_string appears ${problem.isCut ? "at least " : ""}${count(problem.places.length, "time")} in ${name}, at ${all.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more}.`,
      { hint: "Add lines around it to make it unique, or set replace_all to change every one." },
    );
  }
  return fail(`${which}String not found: old_string is not in ${name}.`, {
    hint: await closestMatchHint(file.content, edits[problem.edit]?.oldString ?? "", nameTool),
  });
}

async function closestMatchHint(
  content: Uint8Array,
  sought: string,
  nameTool: NameTool,
): Promise<string> {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
  const match = await findClosestMatch(text, sought, new StepCounter());
  if (match === "unsearched")
    return `The texts are too long to search for a similar place. Read the file with ${nameTool("read_file")}.`;
  if (match === undefined)
    return `Nothing in the file is similar. Read the file with ${nameTool("read_file")}.`;
  const { firstLine, lastLine, difference, diff } = match;
  const place = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`;
  const only = difference === undefined ? "" : ` It differs in ${difference}.`;
  const shown = clipText(diff, { maxCharacters: MAX_CLOSEST_MATCH_CHARACTERS });
  return `The closest place is ${place}.${only} Nothing was changed. (- is the file, + is old_string)\n${shown}`.trimEnd();
}

const NEWLINE = 0x0a;

/** The line numbers of the places, from 1, without duplicates. */
function lineNumbers(bytes: Uint8Array, places: readonly number[]): readonly number[] {
  let line = 1;
  let at = 0;
  const lines = new Set<number>();
  for (const place of places) {
    for (; at < place; at++) if (bytes[at] === NEWLINE) line++;
    lines.add(line);
  }
  return [...lines];
}

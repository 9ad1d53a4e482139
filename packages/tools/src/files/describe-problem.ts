import { fail, type ToolFailure } from "@wink/prompt";
import type { NameTool } from "../answers/answer-error.js";
import { clipText } from "../answers/clip-text.js";
import { count } from "../answers/count.js";
import { quote } from "../answers/quote.js";
import { findNearMiss } from "./near-miss.js";
import type { EditProblem, TextEdit } from "./plan-edits.js";

const MOST_LINES_NAMED = 5;
const LONGEST_NEAR_MISS = 3_000;

/** Why an edit was not made, and what would make it work. Nothing was changed. */
export function describeProblem(
  problem: EditProblem,
  file: { readonly path: string; readonly content: Uint8Array },
  edits: readonly TextEdit[],
  nameTool: NameTool,
): ToolFailure {
  const name = quote(file.path);
  if (problem.kind === "overlap") {
    const [one, other] = problem.edits.map((edit) => edit + 1);
    return fail(`Edits ${one} and ${other} overlap in ${name}.`, {
      hint: "Each edit is made to the file as it is now. Combine these two into one.",
    });
  }
  const which = edits.length === 1 ? "" : `Edit ${problem.edit + 1}: `;
  if (problem.kind === "ambiguous") {
    const all = lineNumbers(file.content, problem.places);
    const lines = all.slice(0, MOST_LINES_NAMED);
    const more = all.length > lines.length ? " and more" : "";
    return fail(
      `${which}old_string appears ${count(problem.places.length, "time")} in ${name}, at ${all.length === 1 ? "line" : "lines"} ${lines.join(", ")}${more}.`,
      { hint: "Add lines around it to make it unique, or set replace_all to change every one." },
    );
  }
  return fail(`${which}String not found: old_string is not in ${name}.`, {
    hint: nearMissHint(file.content, edits[problem.edit]?.oldString ?? "", nameTool),
  });
}

function nearMissHint(content: Uint8Array, sought: string, nameTool: NameTool): string {
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(content);
  const miss = findNearMiss(text, sought);
  if (miss === undefined)
    return `Nothing in the file is like it. Look at the file with ${nameTool("read_file")}.`;
  const { firstLine, lastLine, difference, diff } = miss;
  const place = firstLine === lastLine ? `line ${firstLine}` : `lines ${firstLine} to ${lastLine}`;
  const only = difference === undefined ? "" : ` It differs in ${difference}.`;
  const shown = clipText(diff, { maxCharacters: LONGEST_NEAR_MISS });
  return `The closest place is ${place}.${only} Nothing was changed. (- is the file, + is old_string)\n${shown}`.trimEnd();
}

const NEWLINE = 0x0a;

/** The lines of the places, each once, counted from 1. */
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

import type { FileDiff } from "@wink/workspace";
import { choose } from "../terminal/ask.js";
import type { Io } from "../terminal/io.js";
import { remark, stderrColorsFor } from "../terminal/print.js";
import { safeText } from "../terminal/terminal-text.js";
import { colorPatch } from "../view/color-patch.js";

const ANSWERS = ["yes", "all", "done", "quit", "no"] as const;

/**
 * Shows each hunk and asks, like `git add -p`. `all` also takes the rest of the file, `done` skips
 * it, `quit` ends the questions. Resolves to the ids of the chosen hunks.
 */
export async function chooseHunks(io: Io, files: readonly FileDiff[]): Promise<readonly string[]> {
  const chosen: string[] = [];
  const colors = stderrColorsFor(io);
  for (const { path, oldPath, type, hunks } of files) {
    const name = oldPath === undefined ? path : `${oldPath} → ${path}`;
    remark(io, colors.bold(`${type} ${safeText(name)}`));
    for (const [index, { id, text }] of hunks.entries()) {
      if (text !== "") remark(io, colorPatch(text, colors));
      const question = `Apply this change (${index + 1} of ${hunks.length})?`;
      const answer = await choose(io, question, ANSWERS);
      if (answer === "yes") chosen.push(id);
      if (answer === "all") chosen.push(...hunks.slice(index).map((each) => each.id));
      if (answer === "quit") return chosen;
      if (answer === "all" || answer === "done") break;
    }
  }
  return chosen;
}

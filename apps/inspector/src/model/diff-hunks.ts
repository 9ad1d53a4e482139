import { diffText } from "@wink/filesystem";
import type { DiffHunk, TextDiff } from "./run-views.js";

/** Compares two texts line by line. */
export async function diffHunks(before: string, after: string): Promise<readonly DiffHunk[]> {
  const hunks: { oldStart: number; newStart: number; lines: string[] }[] = [];
  for (const line of (await diffText(before, after)).split("\n")) {
    const header = /^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    const last = hunks.at(-1);
    if (header !== null)
      hunks.push({
        oldStart: firstLine(header[1], header[2]),
        newStart: firstLine(header[3], header[4]),
        lines: [],
      });
    else if (line !== "") last?.lines.push(line);
  }
  return hunks;
}

/** An empty range names the line before it. */
function firstLine(start = "1", count = "1"): number {
  return count === "0" ? Number(start) + 1 : Number(start);
}

export function countDiff(hunks: readonly DiffHunk[]): Pick<TextDiff, "added" | "removed"> {
  let [added, removed] = [0, 0];
  for (const { lines } of hunks)
    for (const line of lines)
      if (line.startsWith("+")) added++;
      else if (line.startsWith("-")) removed++;
  return { added, removed };
}

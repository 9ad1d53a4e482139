import { diffHunks } from "./diff-hunks.js";

/** A version of a file. */
export interface BlamedVersion {
  readonly sequence: number;
  readonly text: string;
}

/** For each line of the last version: the event of the version that wrote it. Lines end at `\n`. */
export async function blameLines(versions: readonly BlamedVersion[]): Promise<readonly number[]> {
  let lines: number[] = [];
  let before = "";
  for (const { sequence, text } of versions) {
    const next: number[] = [];
    let at = 0;
    for (const hunk of await diffHunks(before, text)) {
      while (at < hunk.oldStart - 1) next.push(lines[at++] ?? sequence);
      for (const line of hunk.lines)
        if (line.startsWith("+")) next.push(sequence);
        else if (line.startsWith("-")) at++;
        else if (line.startsWith(" ")) next.push(lines[at++] ?? sequence);
    }
    while (at < lines.length) next.push(lines[at++] ?? sequence);
    lines = next;
    before = text;
  }
  return lines;
}

import type { GrepMatch } from "../../protocol/filesystem.js";
import { clipLine } from "./clip-line.js";
import type { FoundLine } from "./find-lines.js";
import type { GrepText } from "./grep-text.js";

/** Clips the line and freezes the match. */
export function toGrepMatch(
  { path, text }: GrepText,
  found: FoundLine,
  maxLineCharacters: number,
): GrepMatch {
  const { lineNumber, lineStart, lineEnd, matchStart, matchEnd } = found;
  const clipped = clipLine(
    text.slice(lineStart, lineEnd),
    { start: matchStart, end: matchEnd },
    maxLineCharacters,
  );
  return Object.freeze({
    path,
    lineNumber,
    lineContent: detach(clipped.content),
    matchStart: clipped.start,
    matchEnd: clipped.end,
  });
}

/** V8's `slice` points into the original string, so a match would keep the whole file in memory. This makes a copy. */
function detach(part: string): string {
  return ` ${part}`.slice(1);
}

import type { Filesystem, GrepMatch } from "@wink/filesystem";
import { pathLine } from "../reply/quote.js";
import { splitLines } from "../reply/split-lines.js";

export interface ShowMatchesOptions {
  /** The number of lines to show before and after each match. */
  readonly context: number;
  readonly filesystem: Filesystem;
  readonly signal: AbortSignal;
  /** Context is read only for the matches from `offset` on, at most `limit` of them. */
  readonly offset: number;
  readonly limit: number;
}

/**
 * Returns one item per match: `path:line:text`, and its context lines as `path-line-text`.
 *
 * If the contexts of two matches overlap, each line is shown only once, with the earlier match.
 */
export async function showMatches(
  matches: readonly GrepMatch[],
  { context, filesystem, signal, offset, limit }: ShowMatchesOptions,
): Promise<readonly string[]> {
  if (context === 0) return matches.map((match) => matchLine(match));
  const items: string[] = [];
  let shownTo = { path: "", line: 0 };
  for (const [index, match] of matches.entries()) {
    if (index < offset || index >= offset + limit) {
      items.push(matchLine(match));
      continue;
    }
    const { path, lineNumber } = match;
    const next = matches[index + 1];
    const after = shownTo.path === path ? shownTo.line : 0;
    const first = Math.max(lineNumber - context, after + 1, 1);
    const end = next?.path === path ? next.lineNumber - 1 : Number.POSITIVE_INFINITY;
    const last = Math.min(lineNumber + context, end);
    items.push(await around(match, first, last, filesystem, signal));
    shownTo = { path, line: last };
  }
  return items;
}

async function around(
  match: GrepMatch,
  first: number,
  last: number,
  filesystem: Filesystem,
  signal: AbortSignal,
): Promise<string> {
  const { path, lineNumber } = match;
  const { content } = await filesystem.read(path, {
    offset: first - 1,
    limit: last - first + 1,
    signal,
  });
  const shown = splitLines(content).map((line, index) => {
    const number = first + index;
    return number === lineNumber ? matchLine(match) : contextLine(path, number, line);
  });
  return shown.join("\n");
}

function matchLine({ path, lineNumber, lineContent }: GrepMatch): string {
  return `${pathLine(path)}:${lineNumber}:${lineContent}`;
}

const MAX_CONTEXT_LINE_CHARACTERS = 500;

function contextLine(path: string, number: number, line: string): string {
  const text = line.replace(/\r?\n$/, "");
  const clipped =
    text.length > MAX_CONTEXT_LINE_CHARACTERS
      ? `${text.slice(0, MAX_CONTEXT_LINE_CHARACTERS).toWellFormed()}…`
      : text;
  return `${pathLine(path)}-${number}-${clipped}`;
}

import type { Filesystem, GrepMatch } from "@wink/filesystem";
import type { PageOptions } from "../reply/page-items.js";
import { oneLine } from "../reply/quote.js";
import { splitLines } from "./unified-diff.js";

export interface ShowMatchesOptions {
  /** Lines around each match. */
  readonly context: number;
  readonly filesystem: Filesystem;
  readonly signal: AbortSignal;
  /** Only the matches of this page get their context read. */
  readonly page: PageOptions;
}

const LONGEST_PATH = 2_000;

/**
 * One item for each match: `path:line:text`, with the lines around it as `path-line-text`.
 *
 * Where the contexts of two matches meet, each line is shown once, with the earlier one.
 */
export async function showMatches(
  matches: readonly GrepMatch[],
  { context, filesystem, signal, page }: ShowMatchesOptions,
): Promise<readonly string[]> {
  if (context === 0) return matches.map((match) => matchLine(match));
  const items: string[] = [];
  let shownTo = { path: "", line: 0 };
  for (const [index, match] of matches.entries()) {
    const isShown = index >= page.offset && index < page.offset + page.limit;
    if (!isShown) {
      items.push(matchLine(match));
      continue;
    }
    const { path, lineNumber } = match;
    const next = matches[index + 1];
    const after = shownTo.path === path ? shownTo.line : 0;
    const first = Math.max(lineNumber - context, after + 1, 1);
    const limit = next?.path === path ? next.lineNumber - 1 : Number.POSITIVE_INFINITY;
    const last = Math.min(lineNumber + context, limit);
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
  return `${oneLine(path, LONGEST_PATH)}:${lineNumber}:${lineContent}`;
}

const LONGEST_CONTEXT_LINE = 500;

function contextLine(path: string, number: number, line: string): string {
  const text = line.replace(/\r?\n$/, "");
  const clipped =
    text.length > LONGEST_CONTEXT_LINE
      ? `${text.slice(0, LONGEST_CONTEXT_LINE).toWellFormed()}…`
      : text;
  return `${oneLine(path, LONGEST_PATH)}-${number}-${clipped}`;
}

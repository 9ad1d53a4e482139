import { mapInSlices, type TimeSlices } from "../../content/time-slices.js";
import type { GrepMatch } from "../../protocol/filesystem.js";
import { FilesystemError } from "../../protocol/filesystem-error.js";
import type { MaybePromise } from "../../protocol/maybe-promise.js";
import type { FoundLine } from "./find-lines.js";
import type { GrepText } from "./grep-text.js";
import { GuardedSearch } from "./guarded-search.js";
import { compileFinder } from "./line-finder.js";
import { NeedleLook } from "./literal-prefilter.js";
import { toGrepMatch } from "./to-grep-match.js";

export interface CompileGrepOptions {
  /** The public method, for the error. */
  readonly operation: string;
  readonly ignoreCase: boolean;
  /** Treats the pattern as plain text. */
  readonly literal: boolean;
  readonly maxPatternCharacters: number;
  readonly maxGrepLineCharacters: number;
  readonly maxSlowRegexMs: number;
}

export interface GrepFound {
  /** One match per matching line, in the order of the texts. */
  readonly matches: readonly GrepMatch[];
  /** Whether there are more matching lines. */
  readonly more: boolean;
}

/**
 * A compiled pattern of `grep`.
 *
 * The dialect is JavaScript's, matched against each line separately: `^` and `$` are the ends of the
 * line, and no match spans two lines. Lines end at `\n`; one `\r` before it belongs to the line end and not to
 * the line. Unicode mode (`u`) is on exactly when the pattern contains `\p{…}`, `\P{…}`, `\u{…}` or a character
 * beyond U+FFFF, such as an emoji.
 *
 * A pattern never blocks the process. It runs on this thread for 15 ms, then continues in a worker, and fails
 * with `EINVAL` after `maxSlowRegexMs` there, plus a second per 50 MB.
 */
export interface GrepEngine {
  /** `false` when `text` cannot match. Far cheaper than a search. Always `true` for a long text. */
  mightMatch(text: string): boolean;
  /** The same for UTF-8 bytes. */
  mightMatchBytes(bytes: Uint8Array): boolean;
  /** The same for content of any length, with pauses. */
  lookThrough(content: string | Uint8Array, slices: TimeSlices): Promise<boolean>;
  /** The work of these checks since the last call, in the units of `TimeSlices`. */
  takeWork(): number;
  /**
   * The first `remaining` matching lines. Make one call at a time, with about 256 KB each, because each call has
   * overhead.
   */
  search(texts: readonly GrepText[], remaining: number): MaybePromise<GrepFound>;
  /** Ends the worker, if there is one. A search in progress rejects. */
  close(): void;
}

/** Fails with `EINVAL` when the pattern is invalid, too long or cannot be run safely. */
export function compileGrep(pattern: string, options: CompileGrepOptions): GrepEngine {
  const { operation, maxSlowRegexMs, maxGrepLineCharacters } = options;
  const refuse = (reason: string) =>
    new FilesystemError("EINVAL", { operation, path: shorten(pattern), reason });
  const finder = compileFinder(pattern, options, refuse);
  const look = new NeedleLook(finder.needle);
  const guarded = new GuardedSearch(finder, maxSlowRegexMs, refuse);

  return {
    mightMatch: (text) => look.inText(text),
    mightMatchBytes: (bytes) => look.inBytes(bytes),
    lookThrough: (content, slices) => look.through(content, slices),
    takeWork: () => look.takeWork(),
    search(texts, remaining) {
      // One line over the limit shows that there are more.
      const found = guarded.find(texts, remaining + 1);
      return found instanceof Promise ? found.then(present) : present(found);

      function present(lines: readonly FoundLine[]): MaybePromise<GrepFound> {
        const more = lines.length > remaining;
        const shown = more ? lines.slice(0, remaining) : lines;
        const matches = presentLines(texts, shown, maxGrepLineCharacters);
        return matches instanceof Promise
          ? matches.then((all) => ({ matches: all, more }))
          : { matches, more };
      }
    },
    close: () => guarded.close(),
  };
}

const MAX_SHOWN_CHARACTERS = 80;

function shorten(pattern: string): string {
  // An untyped caller may pass anything; the error describes it.
  if (typeof pattern !== "string" || pattern.length <= MAX_SHOWN_CHARACTERS) return pattern;
  return `${pattern.slice(0, MAX_SHOWN_CHARACTERS)}…`;
}

/** Converting this many lines takes one or two milliseconds. */
const MAX_LINES_AT_ONCE = 2_000;

function presentLines(
  texts: readonly GrepText[],
  lines: readonly FoundLine[],
  maxLineCharacters: number,
): MaybePromise<readonly GrepMatch[]> {
  // `textIndex` is an index of `texts`.
  const present = (line: FoundLine) => toGrepMatch(texts[line.textIndex]!, line, maxLineCharacters);
  return lines.length <= MAX_LINES_AT_ONCE ? lines.map(present) : mapInSlices(lines, present);
}

import type { MaybePromise } from "../../driver/driver.js";
import type { GrepMatch } from "../../protocol/filesystem.js";
import { FilesystemError } from "../../protocol/filesystem-error.js";
import { mapInSlices, type TimeSlices } from "../walk/time-slices.js";
import type { FoundLine } from "./find-lines.js";
import type { GrepText } from "./grep-text.js";
import { GuardedSearch } from "./guarded-search.js";
import { compileFinder } from "./line-finder.js";
import { NeedleLook } from "./needle-look.js";
import { toGrepMatch } from "./to-grep-match.js";

export interface CompileGrepOptions {
  /** The public method the pattern was given to, for the error. */
  readonly operation: string;
  /** The searched path as the caller wrote it, for the error. */
  readonly path: string;
  readonly ignoreCase: boolean;
  /** Takes the pattern as plain text. */
  readonly literal: boolean;
  readonly maxPatternCharacters: number;
  readonly maxGrepLineCharacters: number;
  readonly maxSlowRegexMs: number;
}

export interface GrepFound {
  /** One for each matching line, in the order of the texts. */
  readonly matches: readonly GrepMatch[];
  /** Whether there was a matching line beyond those. */
  readonly more: boolean;
}

/**
 * A compiled pattern of `grep`.
 *
 * The dialect is JavaScript's, matched against each line on its own: `^` and `$` are the ends of the
 * line, and no match spans two. Lines end at `\n`; one `\r` before it belongs to the line end and not to
 * the line. Unicode mode (`u`) is on exactly when the pattern holds `\p{…}`, `\P{…}`, `\u{…}` or a character
 * beyond U+FFFF, such as an emoji.
 *
 * A pattern never holds up the process: it gets 15 ms on this thread, then goes on in a worker, and is
 * given up with `EINVAL` when it has been slow there for `maxSlowRegexMs`, plus a second per 50 MB.
 */
export interface GrepEngine {
  /** A short text that every matching file holds; `undefined` when none is known. */
  readonly needle: string | undefined;
  /** `false` when `text` cannot match. Far cheaper than searching it. Of a long text this is not told, but `true`. */
  mightMatch(text: string): boolean;
  /** The same, told from UTF-8. */
  mightMatchBytes(bytes: Uint8Array): boolean;
  /** The same of content of any length, told with pauses. */
  lookThrough(content: string | Uint8Array, slices: TimeSlices): Promise<boolean>;
  /** What telling has taken since this was last asked, in the units of `TimeSlices`. */
  takeWork(): number;
  /** The first `remaining` matching lines. One call after the other, with some 256 KB each: a call has its price. */
  search(texts: readonly GrepText[], remaining: number): MaybePromise<GrepFound>;
  /** Ends the worker, if there is one; a search under way rejects. */
  close(): void;
}

/** Fails with `EINVAL` when the pattern is not one, is too long, or cannot be run safely here. */
export function compileGrep(pattern: string, options: CompileGrepOptions): GrepEngine {
  const { operation, path, maxSlowRegexMs, maxGrepLineCharacters } = options;
  const refuse = (reason: string) => new FilesystemError("EINVAL", { operation, path, reason });
  const finder = compileFinder(pattern, options, refuse);
  const { needle } = finder;
  const look = new NeedleLook(needle);
  const guarded = new GuardedSearch(finder, maxSlowRegexMs, refuse);

  return {
    needle: needle === "" ? undefined : needle,
    mightMatch: (text) => look.inText(text),
    mightMatchBytes: (bytes) => look.inBytes(bytes),
    lookThrough: (content, slices) => look.through(content, slices),
    takeWork: () => look.takeWork(),
    search(texts, remaining) {
      // One more than asked for tells whether there was more.
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

/** So many lines are made ready in a millisecond or two. */
const MAX_LINES_AT_ONCE = 2_000;

function presentLines(
  texts: readonly GrepText[],
  lines: readonly FoundLine[],
  maxLineCharacters: number,
): MaybePromise<readonly GrepMatch[]> {
  // The index is one of those that went into the search.
  const present = (line: FoundLine) => toGrepMatch(texts[line.textIndex]!, line, maxLineCharacters);
  return lines.length <= MAX_LINES_AT_ONCE ? lines.map(present) : mapInSlices(lines, present);
}

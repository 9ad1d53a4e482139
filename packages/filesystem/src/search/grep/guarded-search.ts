import type { MaybePromise } from "../../driver/driver.js";
import type { FoundLine } from "./find-lines.js";
import type { GrepText } from "./grep-text.js";
import { runInterruptible } from "./interruptible.js";
import type { LineFinder } from "./line-finder.js";
import { unpackLines } from "./packed-lines.js";
import type { Refuse } from "./read-regex.js";
import { RegexWorker } from "./regex-worker.js";

/** How long a pattern may hold up this thread at a time. */
const SLICE_MS = 15;
/** A stop may be the machine's doing: when the worker is quick with the same texts, this thread is tried again. */
const MAX_STOPS = 20;
/** What an expression that is not slow gets through, so that much text is no fault of the pattern. */
const CHARACTERS_PER_MS = 50_000;
/** Plain text is found in this many characters within 6 ms at worst. Guarding that would take longer than the search mostly does. */
const UNGUARDED_CHARACTERS = 512 * 1024;
/** So many lines are put together in a millisecond or two. */
const UNGUARDED_LINES = 20_000;

/** Looks for lines on this thread as long as that is quick, and in a worker when it is not. */
export class GuardedSearch {
  readonly #finder: LineFinder;
  readonly #maxSlowMs: number;
  readonly #refuse: Refuse;
  #stops: number;
  #worker: RegexWorker | undefined;
  #budgetMs: number;
  #ended: Error | undefined;

  constructor(finder: LineFinder, maxSlowMs: number, refuse: Refuse) {
    this.#finder = finder;
    this.#maxSlowMs = maxSlowMs;
    this.#budgetMs = maxSlowMs;
    this.#refuse = refuse;
    this.#stops = finder.triedHere ? 0 : MAX_STOPS;
  }

  /** The first `most` matching lines, in the order of the texts. */
  find(texts: readonly GrepText[], most: number): MaybePromise<readonly FoundLine[]> {
    if (this.#ended) throw this.#ended;
    if (this.#isQuick(texts, most)) return this.#findAll(texts, most);
    if (this.#stops < MAX_STOPS) {
      const result = this.#findHere(texts, most);
      if (result !== undefined) return result.value;
      this.#stops++;
    }
    return this.#findInWorker(texts, most);
  }

  close(): void {
    this.#ended ??= this.#refuse("the search was ended");
    this.#worker?.end();
  }

  #isQuick(texts: readonly GrepText[], most: number): boolean {
    const isBounded = this.#finder.isLinear && most <= UNGUARDED_LINES;
    return isBounded && countCharacters(texts) <= UNGUARDED_CHARACTERS;
  }

  #findHere(texts: readonly GrepText[], most: number) {
    try {
      return runInterruptible(() => this.#findAll(texts, most), SLICE_MS);
    } catch (error) {
      // What V8 throws when an expression is too large, or needs more memory than it may have.
      if (error instanceof RangeError || error instanceof SyntaxError)
        throw this.#refuse(TOO_COMPLEX);
      throw error;
    }
  }

  #findAll(texts: readonly GrepText[], most: number): readonly FoundLine[] {
    const found: FoundLine[] = [];
    for (const [index, { text }] of texts.entries()) {
      if (found.length >= most) break;
      this.#finder.find(text, index, most, found);
    }
    return found;
  }

  async #findInWorker(texts: readonly GrepText[], most: number): Promise<readonly FoundLine[]> {
    const { source, flags } = this.#finder;
    this.#worker ??= RegexWorker.start(source, flags);
    const expectedMs = countCharacters(texts) / CHARACTERS_PER_MS;
    this.#budgetMs += expectedMs;
    const answer = await this.#worker?.search(texts, most, this.#budgetMs);

    if (this.#ended) throw this.#ended;
    if (answer === undefined || "failed" in answer) {
      const reason = answer === undefined ? tooSlow(this.#maxSlowMs) : TOO_COMPLEX;
      this.#ended = this.#refuse(reason);
      this.#worker?.end();
      throw this.#ended;
    }
    this.#budgetMs -= answer.busyMs;
    if (answer.busyMs > SLICE_MS + expectedMs) this.#stops = MAX_STOPS;
    return await unpackLines(answer.packed);
  }
}

function countCharacters(texts: readonly GrepText[]): number {
  return texts.reduce((sum, { text }) => sum + text.length, 0);
}

const TOO_COMPLEX = "the pattern is too complex to be run; make it shorter, or repeat less in it";

function tooSlow(maxSlowMs: number): string {
  return (
    `the pattern took too long (over ${maxSlowMs} ms); avoid repeats within repeats such as (a+)+, ` +
    "search fewer files, or search for plain text with literal"
  );
}

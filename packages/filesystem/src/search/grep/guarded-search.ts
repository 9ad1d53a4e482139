import type { MaybePromise } from "../../protocol/maybe-promise.js";
import type { FoundLine } from "./find-lines.js";
import type { GrepText } from "./grep-text.js";
import { runInterruptible } from "./interruptible.js";
import type { LineFinder } from "./line-finder.js";
import { unpackLines } from "./packed-lines.js";
import type { Refuse } from "./read-regex.js";
import { RegexWorker } from "./regex-worker.js";

/** How long a pattern may block this thread. */
const SLICE_MS = 15;
/** The machine may have caused a timeout: when the worker is fast with the same texts, this thread is tried again. */
const MAX_STOPS = 20;
/** The speed of an expression that is not slow. The budget grows with the amount of text at this rate. */
const CHARACTERS_PER_MS = 50_000;
/**
 * Finding plain text in this many characters takes at most 6 ms. The guard would mostly take longer than the search.
 */
const UNGUARDED_CHARACTERS = 512 * 1024;
/** Collecting this many lines takes one or two milliseconds. */
const UNGUARDED_LINES = 20_000;

/** Searches on this thread while that is fast, and in a worker when it is not. */
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

  /** The first `maxLines` matching lines, in the order of the texts. */
  find(texts: readonly GrepText[], maxLines: number): MaybePromise<readonly FoundLine[]> {
    if (this.#ended) throw this.#ended;
    if (this.#isQuick(texts, maxLines)) return this.#findAll(texts, maxLines);
    if (this.#stops < MAX_STOPS) {
      const result = this.#findHere(texts, maxLines);
      if (result !== undefined) return result.value;
      this.#stops++;
    }
    return this.#findInWorker(texts, maxLines);
  }

  close(): void {
    this.#ended ??= this.#refuse("the search was cancelled");
    this.#worker?.end();
  }

  #isQuick(texts: readonly GrepText[], maxLines: number): boolean {
    const isBounded = this.#finder.isLinear && maxLines <= UNGUARDED_LINES;
    return isBounded && countCharacters(texts) <= UNGUARDED_CHARACTERS;
  }

  #findHere(texts: readonly GrepText[], maxLines: number) {
    try {
      return runInterruptible(() => this.#findAll(texts, maxLines), SLICE_MS);
    } catch (error) {
      // V8 throws these when an expression is too large or needs too much memory.
      if (error instanceof RangeError || error instanceof SyntaxError)
        throw this.#refuse(TOO_COMPLEX);
      throw error;
    }
  }

  #findAll(texts: readonly GrepText[], maxLines: number): readonly FoundLine[] {
    const found: FoundLine[] = [];
    for (const [index, { text }] of texts.entries()) {
      if (found.length >= maxLines) break;
      this.#finder.find(text, index, maxLines, found);
    }
    return found;
  }

  async #findInWorker(texts: readonly GrepText[], maxLines: number): Promise<readonly FoundLine[]> {
    const { source, flags } = this.#finder;
    this.#worker ??= RegexWorker.start(source, flags);
    const expectedMs = countCharacters(texts) / CHARACTERS_PER_MS;
    this.#budgetMs += expectedMs;
    const answer = await this.#worker?.search(texts, maxLines, this.#budgetMs);

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

const TOO_COMPLEX = "the pattern is too complex; shorten it or use fewer repeats";

function tooSlow(maxSlowMs: number): string {
  return (
    `the pattern took too long (over ${maxSlowMs} ms); avoid nested repeats such as (a+)+, ` +
    "search fewer files, or set literal to search for plain text"
  );
}

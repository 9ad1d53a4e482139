import type { GrepEngine, GrepFound } from "./grep-engine.js";
import type { GrepText } from "./grep-text.js";

/** The batch size: texts are searched together up to this many characters, because each search has overhead. */
const BATCH_CHARACTERS = 256 * 1024;
/** The size of the first batch, which shows how many matches a text has. */
const FIRST_TEXTS = 64;
/** Adding this many characters takes about 10 microseconds. */
const CHARACTERS_PER_WORK = 16 * 1024;

/** Collects texts to search them together. */
export class SearchBatch {
  readonly #engine: GrepEngine;
  /** How many matches are still wanted. */
  #wanted: number;
  #texts: GrepText[] = [];
  #characters = 0;
  #fullTexts: number;
  #work = 0;

  constructor(engine: GrepEngine, maxMatches: number) {
    this.#engine = engine;
    this.#wanted = maxMatches;
    this.#fullTexts = Math.min(maxMatches, FIRST_TEXTS);
  }

  get isEmpty(): boolean {
    return this.#texts.length === 0;
  }

  /** Whether the batch is large enough for a search, or may complete the result. */
  get isFull(): boolean {
    return this.#characters >= BATCH_CHARACTERS || this.#texts.length >= this.#fullTexts;
  }

  add(text: GrepText): void {
    this.#texts.push(text);
    this.#characters += text.text.length;
    this.#work += text.text.length / CHARACTERS_PER_WORK;
  }

  /** Searches the batch and empties it. */
  async search(): Promise<GrepFound> {
    const found = await this.#engine.search(this.#texts, this.#wanted);
    this.#wanted -= found.matches.length;
    this.#fullTexts = this.#countToFill(found.matches.length / this.#texts.length);
    this.#texts = [];
    this.#characters = 0;
    return found;
  }

  /**
   * How many more texts will probably complete the result. When few texts match, the batch doubles, because many
   * small searches would be slow.
   */
  #countToFill(matchesPerText: number): number {
    return matchesPerText >= 1
      ? Math.ceil(this.#wanted / matchesPerText)
      : Math.max(this.#wanted, this.#texts.length * 2);
  }

  /** The work done since the last call, in the units of `TimeSlices`. */
  takeWork(): number {
    const work = this.#work;
    this.#work = 0;
    return work;
  }
}

/**
 * One element of a sequence of a pattern, as far as it matters for the work of compiling it: a
 * character, or a group of alternatives.
 */
export interface Term {
  /** `undefined` for a character. */
  readonly alternatives: readonly Sequence[] | undefined;
  /** How often it must be met. */
  readonly least: number;
  /** How often it may be met. */
  readonly most: number;
}

export type Sequence = readonly Term[];

/**
 * Whether V8 could take too long to compile the pattern, which nothing can interrupt.
 *
 * Before it makes code, V8 looks from each choice in a pattern at what the next few characters may be, by
 * every way through the choices that follow. Twenty `a?` in a row are 260,000 ways, sixty are 3,000 million.
 * This counts them without going them.
 */
export function isTooCostly(sequences: readonly Sequence[]): boolean {
  try {
    new WayCounter().choose(sequences, END);
    return false;
  } catch (error) {
    if (error === TOO_MANY) return true;
    throw error;
  }
}

/** As many characters as V8 looks ahead. */
const LOOKAHEAD = 8;
/** Some ten milliseconds. */
const MAX_WAYS = 100_000;
/** A repeat of up to so many times is written out. */
const MAX_UNROLLED = 3;
/** A loop within a loop is looked through more than once, so its cost doubles each time. */
const MAX_NESTED_REPEATS = 8;

/** What a class of characters is in Unicode mode: short ones, pairs, and halves of pairs. */
export const UNICODE_CLASS: readonly Sequence[] = [
  [{ alternatives: undefined, least: 1, most: 1 }],
  [{ alternatives: undefined, least: 2, most: 2 }],
  [{ alternatives: undefined, least: 1, most: 1 }],
  [{ alternatives: undefined, least: 1, most: 1 }],
];

const TOO_MANY = Symbol("too many ways");

/** By how many steps everything within 0, 1, … {@link LOOKAHEAD} characters of a place is reached. */
type Ways = readonly number[];

const END: Ways = Array<number>(LOOKAHEAD + 1).fill(1);

/** Goes through a pattern from its end to its start. */
class WayCounter {
  #total = 0;
  #nestedRepeats = 0;

  choose(sequences: readonly Sequence[], after: Ways): Ways {
    const choices = sequences.map((sequence) =>
      sequence.reduceRight((ahead, term) => this.#repeat(term, ahead), after),
    );
    const [only] = choices;
    return only !== undefined && choices.length === 1 ? only : this.#join(choices);
  }

  #repeat(term: Term, after: Ways): Ways {
    const nests = term.most > 1 && term.alternatives !== undefined;
    if (nests && ++this.#nestedRepeats > MAX_NESTED_REPEATS) throw TOO_MANY;
    let ahead = after;
    for (let times = Math.min(term.most - term.least, MAX_UNROLLED); times > 0; times--)
      ahead = this.#join([this.#once(term, ahead), after]);
    for (let times = Math.min(term.least, MAX_UNROLLED); times > 0; times--)
      ahead = this.#once(term, ahead);
    if (nests) this.#nestedRepeats--;
    return ahead;
  }

  #once({ alternatives }: Term, after: Ways): Ways {
    this.#count(1);
    if (alternatives !== undefined) return this.choose(alternatives, after);
    return after.map((_, room) => 1 + (after[room - 1] ?? 0));
  }

  #join(choices: readonly Ways[]): Ways {
    const ways = END.map((_, room) =>
      choices.reduce((sum, choice) => sum + (choice[room] ?? 0), 1),
    );
    this.#count(ways[LOOKAHEAD] ?? 0);
    return ways;
  }

  #count(ways: number): void {
    this.#total += ways;
    if (this.#total > MAX_WAYS) throw TOO_MANY;
  }
}

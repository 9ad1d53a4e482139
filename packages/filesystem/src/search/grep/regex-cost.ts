/**
 * One element of a sequence, reduced to what matters for the cost of compiling it: a character, or a group of
 * alternatives.
 */
export interface Term {
  /** `undefined` for a character. */
  readonly alternatives: readonly Sequence[] | undefined;
  /** The minimum number of repeats. */
  readonly min: number;
  /** The maximum number of repeats. */
  readonly max: number;
}

export type Sequence = readonly Term[];

/**
 * Whether V8 could take too long to compile the pattern, which cannot be interrupted.
 *
 * Before V8 generates code, it looks ahead a few characters from each choice in the pattern, along every path through
 * the choices that follow. Twenty `a?` in a row have 260,000 paths, sixty have 3,000 million. This counts the paths
 * without following them.
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

/** V8 looks this many characters ahead. */
const LOOKAHEAD = 8;
/** About ten milliseconds. */
const MAX_WAYS = 100_000;
/** V8 unrolls repeats up to this count. */
const MAX_UNROLLED = 3;
/** V8 scans nested loops more than once, so each level doubles the cost. */
const MAX_NESTED_REPEATS = 8;

/**
 * The alternatives of a character class in Unicode mode: one unit, surrogate pairs, and the two kinds of unpaired
 * surrogates.
 */
export const UNICODE_CLASS: readonly Sequence[] = [
  [{ alternatives: undefined, min: 1, max: 1 }],
  [{ alternatives: undefined, min: 2, max: 2 }],
  [{ alternatives: undefined, min: 1, max: 1 }],
  [{ alternatives: undefined, min: 1, max: 1 }],
];

const TOO_MANY = Symbol("too many ways");

/** The number of steps to everything within 0, 1, … {@link LOOKAHEAD} characters of a position. */
type Ways = readonly number[];

const END: Ways = Array<number>(LOOKAHEAD + 1).fill(1);

/** Traverses a pattern from its end to its start. */
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
    const nests = term.max > 1 && term.alternatives !== undefined;
    if (nests && ++this.#nestedRepeats > MAX_NESTED_REPEATS) throw TOO_MANY;
    let ahead = after;
    for (let times = Math.min(term.max - term.min, MAX_UNROLLED); times > 0; times--)
      ahead = this.#join([this.#once(term, ahead), after]);
    for (let times = Math.min(term.min, MAX_UNROLLED); times > 0; times--)
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

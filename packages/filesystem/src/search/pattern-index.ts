import type { MatchMeter } from "./match-meter.js";
import type { PathPattern } from "./path-pattern.js";

const LONGEST_KEY_CHARACTERS = 16;
/** What looking for a key takes, and trying a pattern, besides what that counts itself. */
const STEPS_PER_KEY = 12;
const STEPS_PER_PATTERN = 4;
/** To find the name in a path, it is looked through from its end: 32 characters in a step. */
const CHARACTERS_PER_STEP_LOG2 = 5;

/** What a path shows at one end. */
interface End {
  /** What a pattern says of it, cut to the length of a key. */
  of(pattern: PathPattern): string;
  /** So many characters of a path. */
  at(path: string, characters: number): string;
}

const TAIL: End = {
  of: ({ tail }) => tail.slice(-LONGEST_KEY_CHARACTERS),
  at: (path, characters) => path.slice(-characters),
};

const HEAD: End = {
  of: ({ head }) => head.slice(0, LONGEST_KEY_CHARACTERS),
  at: (path, characters) => path.slice(0, characters),
};

/**
 * Finds among many patterns the few that a path might match.
 *
 * What braces stand for mostly differs at one end, as in `*.{a,b,…}` or `{1..999}-*`. The patterns are kept by that
 * end, so that one look rules out all that have another.
 */
export class PatternIndex {
  readonly #end: End;
  readonly #byKey = new Map<string, PathPattern[]>();
  /** Of the keys, each once. */
  readonly #lengths: readonly number[];
  /** Those that say nothing of this end. */
  readonly #others: readonly PathPattern[];

  static of(patterns: readonly PathPattern[]): PatternIndex {
    const byTail = new PatternIndex(patterns, TAIL);
    const byHead = new PatternIndex(patterns, HEAD);
    return byHead.#countTried() < byTail.#countTried() ? byHead : byTail;
  }

  private constructor(patterns: readonly PathPattern[], end: End) {
    this.#end = end;
    const others: PathPattern[] = [];
    for (const pattern of patterns) {
      const key = end.of(pattern);
      const alike = key === "" ? others : this.#byKey.get(key);
      if (alike === undefined) this.#byKey.set(key, [pattern]);
      else alike.push(pattern);
    }
    this.#others = others;
    this.#lengths = [...new Set([...this.#byKey.keys()].map((key) => key.length))];
  }

  /** `path` is a name where the patterns are for names. Stops with no match when the meter has run out. */
  matches(path: string, meter: MatchMeter): boolean {
    for (const length of this.#lengths) {
      meter.left -= STEPS_PER_KEY;
      const alike = this.#byKey.get(this.#end.at(path, length));
      if (alike !== undefined && matchesAny(alike, path, meter)) return true;
    }
    return matchesAny(this.#others, path, meter);
  }

  /** How many patterns are tried on a path at most. */
  #countTried(): number {
    const most = new Map<number, number>();
    for (const [key, { length }] of this.#byKey)
      most.set(key.length, Math.max(length, most.get(key.length) ?? 0));
    return [...most.values()].reduce((sum, count) => sum + count, this.#others.length);
  }
}

function matchesAny(patterns: readonly PathPattern[], path: string, meter: MatchMeter): boolean {
  const steps = STEPS_PER_PATTERN + (path.length >> CHARACTERS_PER_STEP_LOG2);
  for (const pattern of patterns) {
    if (meter.left < 0) return false;
    meter.left -= steps;
    if (pattern.matches(path)) return true;
  }
  return false;
}

import { type CharacterSet, includes } from "./character-set.js";

const ASCII = 128;

/**
 * Divides all code points into the classes that a pattern distinguishes, so that an automaton needs one transition per class and
 * not one per character.
 */
export class CharacterClasses {
  /** The first code point of each class, sorted. */
  readonly #starts: readonly number[];
  readonly #ascii = new Uint16Array(ASCII);

  constructor(sets: readonly CharacterSet[]) {
    const starts = new Set([0]);
    for (const set of sets)
      for (const [first, last] of set) {
        starts.add(first);
        starts.add(last + 1);
      }
    this.#starts = [...starts].sort((one, other) => one - other);
    for (let code = 0; code < ASCII; code++) this.#ascii[code] = this.#find(code);
  }

  get size(): number {
    return this.#starts.length;
  }

  of(code: number): number {
    return code < ASCII ? (this.#ascii[code] ?? 0) : this.#find(code);
  }

  /** Whether the characters of a class are in `set`, which must be one of the constructor's. */
  isIn(set: CharacterSet, index: number): boolean {
    return includes(set, this.#starts[index] ?? 0);
  }

  #find(code: number): number {
    let low = 0;
    let high = this.#starts.length;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.#starts[middle] ?? 0) <= code) low = middle;
      else high = middle;
    }
    return low;
  }
}

const PRIME = 0x01000193;

/** A 64-bit hash of texts, one after the other. It tells values apart; it does not resist an attacker. */
export class ShortHash {
  #low: number;
  #high: number;

  constructor(seed?: ShortHash) {
    this.#low = seed === undefined ? 0x811c9dc5 : seed.#low;
    this.#high = seed === undefined ? 0x1b873593 : seed.#high;
  }

  add(text: string): this {
    let [low, high] = [this.#low, this.#high];
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      low = Math.imul(low ^ code, PRIME);
      high = Math.imul(high ^ (code + at), 0x85ebca6b) ^ (low >>> 13);
    }
    // The end of a text counts, so that "ab", "c" differs from "a", "bc".
    this.#low = Math.imul(low ^ 0x1ff, PRIME);
    this.#high = Math.imul(high ^ text.length, 0xc2b2ae35);
    return this;
  }

  get value(): string {
    return hex(this.#high) + hex(this.#low);
  }
}

function hex(value: number): string {
  return (value >>> 0).toString(16).padStart(8, "0");
}

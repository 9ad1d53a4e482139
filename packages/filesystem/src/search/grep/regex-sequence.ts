import type { Sequence, Term } from "./regex-cost.js";

/** What a part of a pattern asks of the text it matches. */
export interface Part {
  /** The text it stands for, when it is nothing but text. */
  readonly literal: string | undefined;
  /** A text that whatever it matches holds; empty when none is known. */
  readonly required: string;
  /** Whether it matches nothing without a line break. */
  readonly needsLineBreak: boolean;
  /** Of a group; `undefined` for a single character. */
  readonly alternatives: readonly Sequence[] | undefined;
}

export interface Quantifier {
  readonly least: number;
  readonly most: number;
}

const ONCE: Quantifier = { least: 1, most: 1 };
/** V8 follows what comes after it for both of its outcomes. */
const ASSERTION: Term = { alternatives: [[], []], ...ONCE };

/** Joins neighbouring characters into texts and keeps the longest. */
export class SequenceReader {
  readonly #terms: Term[] = [];
  #run = "";
  #longest = "";
  #literal = true;
  #needsLineBreak = false;

  /** Matches no character, so the texts around it still touch. */
  addAssertion(): void {
    this.#terms.push(ASSERTION);
    this.#literal = false;
  }

  add(part: Part, quantifier: Quantifier | undefined): void {
    this.#terms.push({ alternatives: part.alternatives, ...(quantifier ?? ONCE) });
    if (quantifier?.least === 0) {
      this.#endRun();
      return;
    }
    this.#needsLineBreak ||= part.needsLineBreak;
    if (part.literal !== undefined) this.#run += part.literal;
    if (part.literal === undefined || quantifier !== undefined) this.#endRun();
    if (part.required.length > this.#longest.length) this.#longest = part.required;
  }

  toPart(): Part {
    const literal = this.#literal ? this.#run : undefined;
    this.#endRun();
    return {
      literal,
      required: this.#longest,
      needsLineBreak: this.#needsLineBreak,
      alternatives: [this.#terms],
    };
  }

  #endRun(): void {
    if (this.#run.length > this.#longest.length) this.#longest = this.#run;
    this.#run = "";
    this.#literal = false;
  }
}

import type { Sequence, Term } from "./regex-cost.js";

/** What a part of a pattern requires of the text it matches. */
export interface Part {
  /** The text it matches, if it is plain text. */
  readonly literal: string | undefined;
  /** A text that every match of it contains; empty when none is known. */
  readonly required: string;
  /** Whether every match contains a line break. */
  readonly needsLineBreak: boolean;
  /** The alternatives of a group; `undefined` for a single character. */
  readonly alternatives: readonly Sequence[] | undefined;
}

export interface Quantifier {
  readonly min: number;
  readonly max: number;
}

const ONCE: Quantifier = { min: 1, max: 1 };
/** Estimated like two alternatives: V8 may run the rest of the pattern for each outcome of an assertion. */
const ASSERTION: Term = { alternatives: [[], []], ...ONCE };

/** Joins adjacent characters into texts and remembers the longest. */
export class SequenceReader {
  readonly #terms: Term[] = [];
  #run = "";
  #longest = "";
  #literal = true;
  #needsLineBreak = false;

  /** An assertion matches no character, so the texts before and after it are adjacent. */
  addAssertion(): void {
    this.#terms.push(ASSERTION);
    this.#literal = false;
  }

  add(part: Part, quantifier: Quantifier | undefined): void {
    this.#terms.push({ alternatives: part.alternatives, ...(quantifier ?? ONCE) });
    if (quantifier?.min === 0) {
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

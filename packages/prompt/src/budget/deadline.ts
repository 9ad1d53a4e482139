import { checkOptions, requireFunction, requireMember } from "../error/check-options.js";
import { PromptError } from "../error/prompt-error.js";
import { type Duration, toMilliseconds } from "./duration.js";

/** A point in time at which work must be finished. */
export class Deadline {
  /**
   * A deadline after a duration from now: `Deadline.in("2m")`. `clock` returns milliseconds since 1970.
   * @default Date.now
   */
  static in(duration: Duration, options: { readonly clock?: () => number } = {}): Deadline {
    const clock = clockOf(options);
    return new Deadline(clock() + toMilliseconds(duration), clock);
  }

  /** A deadline at a point in time, as a `Date` or in milliseconds since 1970. */
  static at(date: Date | number, options: { readonly clock?: () => number } = {}): Deadline {
    const isTime = typeof date === "number" || date instanceof Date;
    return new Deadline(isTime ? Number(date) : Number.NaN, clockOf(options));
  }

  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly #clock: () => number;

  private constructor(atMs: number, clock: () => number) {
    if (!Number.isFinite(atMs))
      throw new PromptError(
        "DURATION_INVALID",
        "deadline",
        "it is not a valid date. Use a Date or milliseconds since 1970",
      );
    this.atMs = atMs;
    this.#clock = clock;
  }

  /** The remaining time, never below 0. */
  remainingMs(): number {
    return Math.max(0, this.atMs - this.#clock());
  }

  get expired(): boolean {
    return this.remainingMs() === 0;
  }

  /** Returns the earlier of the two deadlines. */
  earliest(other: Deadline | undefined): Deadline {
    if (other !== undefined) requireMember("deadline: earliest", other, "atMs", "a Deadline");
    return (other?.atMs ?? Number.POSITIVE_INFINITY) < this.atMs ? (other as Deadline) : this;
  }

  toJSON(): string {
    return new Date(this.atMs).toISOString();
  }
}

function clockOf(options: { readonly clock?: () => number }): () => number {
  checkOptions("deadline", options, ["clock"]);
  if (options.clock !== undefined) requireFunction("deadline: clock", options.clock, "a function");
  return options.clock ?? Date.now;
}

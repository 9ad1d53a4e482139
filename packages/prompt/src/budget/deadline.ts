import { PromptError } from "../error/prompt-error.js";
import { type Duration, toMilliseconds } from "./duration.js";

export interface DeadlineOptions {
  /** Milliseconds since 1970. @default Date.now */
  readonly clock?: () => number;
}

/** A point in time at which work must be finished. */
export class Deadline {
  /** A deadline after a duration from now: `Deadline.in("2m")`. */
  static in(duration: Duration, { clock = Date.now }: DeadlineOptions = {}): Deadline {
    return new Deadline(clock() + toMilliseconds(duration), clock);
  }

  /** A deadline at a point in time, as a `Date` or in milliseconds since 1970. */
  static at(date: Date | number, { clock = Date.now }: DeadlineOptions = {}): Deadline {
    return new Deadline(Number(date), clock);
  }

  /** Milliseconds since 1970. */
  readonly atMs: number;
  readonly #clock: () => number;

  private constructor(atMs: number, clock: () => number) {
    if (!Number.isFinite(atMs))
      throw new PromptError("duration_invalid", {
        subject: "deadline",
        reason: "it is not a valid date",
      });
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
    return other !== undefined && other.atMs < this.atMs ? other : this;
  }

  toJSON(): string {
    return new Date(this.atMs).toISOString();
  }
}

/** What every path may take without being counted as slow: more than patterns that people write take. */
export const FREE_STEPS = 512;
/** Nothing interrupts a match. A step takes 5 to 15 nanoseconds, so this is 7 ms at worst. */
export const MAX_STEPS_OF_MATCH = 500_000;
/** Where it is not known whether a directory is of use, it is walked. */
export const MAX_STEPS_OF_DIRECTORY = 100_000;

export const STEPS_PER_WORK = 2_000;

/**
 * Counts the steps that the matches of one glob take, and grants only so many.
 *
 * Steps and not time: whether a pattern is given up must not depend on how busy the machine is.
 */
export class MatchMeter {
  /** How many steps the match under way may still take; its loops count this down and end below 0, with no match. */
  left = 0;
  #granted = 0;
  #budget: number;
  #taken = 0;

  /** `budget` is what all matches together may take beyond what is free. */
  constructor(budget: number) {
    this.#budget = budget;
  }

  /** Before a match that may take at most so many steps. */
  begin(maxSteps: number): void {
    this.#granted = Math.min(maxSteps, FREE_STEPS + this.#budget);
    this.left = this.#granted;
  }

  /** After a match. Whether it ran out of steps, and so does not know. */
  end(): boolean {
    const taken = this.#granted - this.left;
    this.#taken += taken;
    if (taken > FREE_STEPS) this.#budget = Math.max(0, this.#budget - taken + FREE_STEPS);
    return this.left < 0;
  }

  /** The work done since this was last asked, in the units of `TimeSlices`. */
  takeWork(): number {
    const taken = this.#taken;
    this.#taken = 0;
    return taken / STEPS_PER_WORK;
  }
}

/** Steps that each path may take without being counted as slow. Patterns that people write take fewer. */
const FREE_STEPS = 512;
/** Steps for building the states of a pattern, which later paths reuse. */
const BUILDING_STEPS = 20_000;
/** The limit for one match, because nothing interrupts it. A step takes about 100 nanoseconds, so this is 10 ms. */
export const MAX_STEPS_OF_MATCH = 100_000;
/** The limit for one directory. When it is reached the directory is walked. */
export const MAX_STEPS_OF_DIRECTORY = 50_000;

export const STEPS_PER_WORK = 200;

/**
 * Counts and limits the steps that the matches of one glob take.
 *
 * It counts steps and not time, so that a busy machine accepts the same patterns as an idle one.
 */
export class MatchMeter {
  /** How many steps the current match may still take. Its loops count this down and stop below 0, without a match. */
  left = 0;
  #granted = 0;
  #budget: number;
  #taken = 0;

  /** `budget` is the number of steps that all matches together may use, without the free steps of each path. */
  constructor(budget: number) {
    this.#budget = budget + BUILDING_STEPS;
  }

  /** Call before a match that may take at most `maxSteps`. */
  begin(maxSteps: number): void {
    this.#granted = Math.min(maxSteps, FREE_STEPS + this.#budget);
    this.left = this.#granted;
  }

  /** Call after a match. Returns whether it ran out of steps before it was decided. */
  end(): boolean {
    const taken = this.#granted - this.left;
    this.#taken += taken;
    if (taken > FREE_STEPS) this.#budget = Math.max(0, this.#budget - taken + FREE_STEPS);
    return this.left < 0;
  }

  /** The work done since the last call, in the units of `TimeSlices`. */
  takeWork(): number {
    const taken = this.#taken;
    this.#taken = 0;
    return taken / STEPS_PER_WORK;
  }
}

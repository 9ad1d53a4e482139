import { isPromise, type MaybePromise } from "../protocol/maybe-promise.js";

/**
 * Serialises changes; reads of several steps wait for a running change. Synchronous drivers need it too, because a change
 * first reads and acts a few promises later.
 */
export class MutationQueue {
  #changes = 0;
  #looks = 0;
  #lastChange: Promise<unknown> = Promise.resolve();
  #allLooks: Promise<unknown> = Promise.resolve();
  readonly #changed = () => {
    this.#changes--;
  };
  readonly #looked = () => {
    this.#looks--;
  };

  /** Whether the queue is empty. Then a change may start immediately; pass it to `follow`. */
  get isFree(): boolean {
    return this.#changes + this.#looks === 0;
  }

  /** Runs changes one at a time, in the order of the calls. */
  run<T>(change: () => MaybePromise<T>): Promise<T> {
    if (this.isFree) return this.follow(change());
    return this.follow(Promise.all([this.#lastChange, this.#allLooks]).then(change));
  }

  /** Makes the next change wait for one that has started. */
  follow<T>(started: MaybePromise<T>): Promise<T> {
    // A synchronous change is already finished.
    if (!isPromise(started)) return Promise.resolve(started);
    this.#changes++;
    // Only its caller handles a failed change. The next change runs anyway.
    this.#lastChange = started.then(this.#changed, this.#changed);
    return started;
  }

  /** Runs a read of several steps: concurrently with other reads, after all changes queued before it. */
  share<T>(look: () => Promise<T>): Promise<T> {
    const turn = this.#changes === 0 ? look() : this.#lastChange.then(look);
    const over = turn.then(this.#looked, this.#looked);
    this.#allLooks = this.#looks === 0 ? over : Promise.all([this.#allLooks, over]);
    this.#looks++;
    return turn;
  }
}

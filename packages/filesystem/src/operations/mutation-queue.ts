import { isPromise, type MaybePromise } from "../protocol/maybe-promise.js";

/**
 * Sees to it that nobody meets a change half-way. A driver that answers at once needs it too: a change looks first
 * and acts some promises later.
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

  /** Whether there is nobody to wait for. Then a change may start at once, and `follow` is to be told of it. */
  get isFree(): boolean {
    return this.#changes + this.#looks === 0;
  }

  /** Lets changes happen one after the other, in the order in which they were asked for. */
  run<T>(change: () => MaybePromise<T>): Promise<T> {
    if (this.isFree) return this.follow(change());
    return this.follow(Promise.all([this.#lastChange, this.#allLooks]).then(change));
  }

  /** Lets the next change wait for one that has started. */
  follow<T>(started: MaybePromise<T>): Promise<T> {
    // One that is over already has nobody wait for it.
    if (!isPromise(started)) return Promise.resolve(started);
    this.#changes++;
    // A failed change is its caller's to hear of; the next one goes ahead.
    this.#lastChange = started.then(this.#changed, this.#changed);
    return started;
  }

  /** Lets something be looked at in several steps: together with other looks, after the changes asked for before it. */
  share<T>(look: () => Promise<T>): Promise<T> {
    const turn = this.#changes === 0 ? look() : this.#lastChange.then(look);
    const over = turn.then(this.#looked, this.#looked);
    this.#allLooks = this.#looks === 0 ? over : Promise.all([this.#allLooks, over]);
    this.#looks++;
    return turn;
  }
}

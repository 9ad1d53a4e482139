import { isPromise, type MaybePromise } from "../maybe-promise.js";

/** Sees to it that nobody meets a change half-way. */
export interface MutationQueue {
  /** Lets changes happen one after the other, in the order in which they were asked for. */
  run<T>(change: () => MaybePromise<T>): Promise<T>;
  /** Lets something be looked at in several steps: together with other looks, after the changes asked for before it. */
  share<T>(look: () => Promise<T>): Promise<T>;
}

/** A driver that answers at once needs it too: a change looks first and acts some promises later. */
export function mutationQueue(): MutationQueue {
  let changes = 0;
  let looks = 0;
  let lastChange: Promise<unknown> = Promise.resolve();
  let allLooks: Promise<unknown> = Promise.resolve();
  const changed = () => {
    changes--;
  };
  const looked = () => {
    looks--;
  };
  return {
    run(change) {
      // Nobody to wait for is the usual case, and then the change starts at once.
      const started =
        changes + looks === 0 ? change() : Promise.all([lastChange, allLooks]).then(change);
      // One that is over already has nobody wait for it.
      if (!isPromise(started)) return Promise.resolve(started);
      const turn = started;
      changes++;
      // A failed change is its caller's to hear of; the next one goes ahead.
      lastChange = turn.then(changed, changed);
      return turn;
    },
    share(look) {
      const turn = changes === 0 ? look() : lastChange.then(look);
      const over = turn.then(looked, looked);
      allLooks = looks === 0 ? over : Promise.all([allLooks, over]);
      looks++;
      return turn;
    },
  };
}

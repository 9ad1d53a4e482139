/** Lets changes happen one after the other, in the order in which they were asked for. */
export interface MutationQueue {
  run<T>(change: () => Promise<T>): Promise<T>;
}

/** For a driver that answers at once: a change is over before the next can start. */
export const noQueue: MutationQueue = { run: (change) => change() };

export function mutationQueue(): MutationQueue {
  let last: Promise<unknown> = Promise.resolve();
  return {
    run(change) {
      const turn = last.then(change);
      // A failed change is its caller's to hear of; the next one goes ahead.
      last = turn.catch(() => {});
      return turn;
    },
  };
}

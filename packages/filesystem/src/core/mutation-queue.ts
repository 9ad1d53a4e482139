/** Lets changes happen one after the other, in the order in which they were asked for. */
export interface MutationQueue {
  run<T>(change: () => Promise<T>): Promise<T>;
}

/** A driver that answers at once needs it too: a change looks first and acts some promises later. */
export function mutationQueue(): MutationQueue {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const done = () => {
    waiting--;
  };
  return {
    run(change) {
      // Nobody to wait for is the usual case, and then the change starts at once.
      const turn = waiting === 0 ? change() : last.then(change);
      waiting++;
      // A failed change is its caller's to hear of; the next one goes ahead.
      last = turn.then(done, done);
      return turn;
    },
  };
}

/** A backend that has its answer at hand gives it at once; the others give a promise. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Whether there is something to wait for. Awaiting only then keeps a call to a
 * backend that answers at once from paying for promises it does not need.
 */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return value instanceof Promise;
}

/** What follows from a value: at once when it is at hand, else when it comes. */
export function andThen<T, U>(
  value: MaybePromise<T>,
  next: (value: T) => MaybePromise<U>,
): MaybePromise<U> {
  return isPromise(value) ? value.then(next) : next(value);
}

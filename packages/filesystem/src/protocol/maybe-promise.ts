/** A backend that has its answer at hand gives it at once; the others give a promise. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Whether there is something to wait for. Awaiting only then keeps a call to a
 * backend that answers at once from paying for promises it does not need.
 */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return value instanceof Promise;
}

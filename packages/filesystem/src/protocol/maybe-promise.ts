/** The result of a backend: a value if it is available immediately, or else a promise. */
export type MaybePromise<T> = T | Promise<T>;

/**
 * Whether there is a promise to await. Awaiting only promises saves synchronous backends the cost of unneeded
 * promises.
 */
export function isPromise<T>(value: MaybePromise<T>): value is Promise<T> {
  return value instanceof Promise;
}

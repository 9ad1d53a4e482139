/** Calls `onError` and ignores what it throws. */
export function complain<Args extends readonly unknown[]>(
  onError: ((...args: Args) => void) | undefined,
  ...args: Args
): void {
  try {
    onError?.(...args);
  } catch {
    // The caller must continue.
  }
}

/** Returns what `ask` returns. If it throws, reports the error and returns `otherwise`. */
export function answerOf<T>(
  ask: () => T,
  otherwise: T,
  onError: ((error: unknown) => void) | undefined,
): T {
  try {
    return ask();
  } catch (error) {
    complain(onError, error);
    return otherwise;
  }
}

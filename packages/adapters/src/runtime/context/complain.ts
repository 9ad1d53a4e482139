/** Calls `onError` and ignores what it throws. */
export function complain<Said extends readonly unknown[]>(
  onError: ((...said: Said) => void) | undefined,
  ...said: Said
): void {
  try {
    onError?.(...said);
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

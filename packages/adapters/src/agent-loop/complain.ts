/** Tells whoever listens to errors, who has nobody to tell of their own. */
export function complain(onError: ((error: unknown) => void) | undefined, error: unknown): void {
  try {
    onError?.(error);
  } catch {
    // The loop goes on.
  }
}

/** What `ask` answers, or `otherwise` when it throws. */
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

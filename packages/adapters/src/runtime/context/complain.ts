/** Tells whoever listens to errors, who has nobody to tell of their own. */
export function complain<Said extends readonly unknown[]>(
  onError: ((...said: Said) => void) | undefined,
  ...said: Said
): void {
  try {
    onError?.(...said);
  } catch {
    // What was under way goes on.
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

/** Runs every step in order, also after errors, and then throws the errors. */
export async function closeAll(steps: Iterable<() => Promise<void> | void>): Promise<void> {
  const errors: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  if (errors.length > 1) throw new AggregateError(errors, `${errors.length} failed to close`);
}

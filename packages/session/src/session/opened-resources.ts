/** The resources that were opened for a session. They are closed with it. */
export class OpenedResources {
  readonly #closers = new Set<{ readonly close: () => Promise<void> | void }>();
  #closing: Promise<void> | undefined;

  /** Returns a function that removes it from the list. */
  add(close: () => Promise<void> | void): () => void {
    const closer = { close };
    this.#closers.add(closer);
    return () => this.#closers.delete(closer);
  }

  /** Closes everything, the newest first, also if some fail. Later calls wait for the first. */
  closeAll(): Promise<void> {
    this.#closing ??= this.#closeAll();
    return this.#closing;
  }

  async #closeAll(): Promise<void> {
    const errors: unknown[] = [];
    for (const { close } of [...this.#closers].reverse())
      try {
        await close();
      } catch (error) {
        errors.push(error);
      }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, "session: resources failed to close.");
  }
}

/** A queue of events for one reader that may be slower than the writer. */
export class EventChannel<T> implements AsyncIterable<T> {
  readonly #waiting: T[] = [];
  #wake: () => void = () => {};
  #ended: { readonly error?: unknown } | undefined;

  push(item: T): void {
    this.#waiting.push(item);
    this.#wake();
  }

  /** Ends the channel. With an error, the reader gets it after all other events. */
  end(ended: { readonly error?: unknown } = {}): void {
    this.#ended = ended;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      yield* this.#waiting.splice(0);
      if (this.#waiting.length > 0) continue;
      if (this.#ended !== undefined) {
        if ("error" in this.#ended) throw this.#ended.error;
        return;
      }
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}

import type { IdleTimeout } from "./idle-timeout.js";

/**
 * Passes a stream through and reports each chunk to the watch. The stream ends when the watch
 * aborts.
 */
export function watchedStream<T>(stream: ReadableStream<T>, watch: IdleTimeout): ReadableStream<T> {
  watch.touch();
  const seen = new TransformStream<T, T>({
    transform(piece, controller) {
      watch.touch();
      controller.enqueue(piece);
    },
  });
  return stream.pipeThrough(seen, { signal: watch.signal });
}

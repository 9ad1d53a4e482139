import type { AnswerWatch } from "./answer-watch.js";

/** A stream whose pieces the watch sees as they come, and which ends with the watch. */
export function watchedStream<T>(stream: ReadableStream<T>, watch: AnswerWatch): ReadableStream<T> {
  watch.touch();
  const seen = new TransformStream<T, T>({
    transform(piece, controller) {
      watch.touch();
      controller.enqueue(piece);
    },
  });
  return stream.pipeThrough(seen, { signal: watch.signal });
}

import { ModelError } from "../runtime/loop/model-error.js";
import type { AnswerWatch } from "./answer-watch.js";
import { watchedStream } from "./watched-stream.js";

/**
 * A response whose bytes the watch sees.
 *
 * Bytes and not events: providers send pings that their clients swallow, and a
 * connection that pings is slow and not dead.
 */
export function watchedResponse({ body, headers }: Response, watch: AnswerWatch): Response {
  if (body === null) throw new ModelError("malformed");
  return new Response(watchedStream(body, watch), { headers });
}

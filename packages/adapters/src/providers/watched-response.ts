import { ModelError } from "../error/model-error.js";
import type { IdleTimeout } from "./idle-timeout.js";
import { watchedStream } from "./watched-stream.js";

/**
 * Wraps a response so that the watch sees its bytes.
 *
 * It sees bytes instead of events, because clients swallow the provider's pings, and a connection
 * with pings is slow but not dead.
 */
export function watchedResponse({ body, headers }: Response, watch: IdleTimeout): Response {
  if (body === null) throw new ModelError("MALFORMED");
  return new Response(watchedStream(body, watch), { headers });
}

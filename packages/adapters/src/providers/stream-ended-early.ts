import { ModelError } from "../error/model-error.js";

/**
 * The error for a stream that ended before the turn was complete.
 *
 * @param begun whether any event of the turn was read; if not, the response was not a stream
 */
export function streamEndedEarly(begun: boolean): ModelError {
  return begun
    ? new ModelError("NETWORK", { reason: "the answer ended early" })
    : new ModelError("MALFORMED");
}

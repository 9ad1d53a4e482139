import { ModelError } from "../runtime/loop/model-error.js";

/**
 * The error for a stream that ended before the turn did.
 *
 * @param begun whether any event of the turn was read: without one, what came was no stream
 */
export function brokenOff(begun: boolean): ModelError {
  return begun
    ? new ModelError("network", { reason: "the answer broke off" })
    : new ModelError("malformed");
}

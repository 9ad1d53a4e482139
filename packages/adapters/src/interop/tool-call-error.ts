import type { ToolOutcome } from "../runtime/call/tool-outcome.js";

// Registered, so that two copies of this package still recognise each other's errors.
const BRAND = Symbol.for("wink.adapters.tool-call-error");

/**
 * A call that did not happen, where a framework wants failures thrown. The message is
 * the answer to the model, with what was undone.
 */
export class ToolCallError extends Error {
  override readonly name = "ToolCallError";
  readonly outcome: ToolOutcome;
  readonly [BRAND] = true;

  constructor(outcome: ToolOutcome) {
    super(outcome.text);
    this.outcome = outcome;
  }
}

/** Whether `error` is a {@link ToolCallError}. */
export function isToolCallError(error: unknown): error is ToolCallError {
  return typeof error === "object" && error !== null && BRAND in error;
}

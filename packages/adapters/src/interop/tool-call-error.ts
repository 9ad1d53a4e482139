import type { ToolOutcome } from "../runtime/call/tool-outcome.js";

// A registered symbol, so that `isToolCallError` also recognises errors of a second copy of this
// package.
const BRAND = Symbol.for("wink.adapters.tool-call-error");

/**
 * Thrown for a failed tool call, for frameworks that expect exceptions. The message is the text
 * that the model reads; it lists the rolled-back changes.
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

import { AdapterError, isAdapterError } from "../error/adapter-error.js";
import type { ToolOutcome } from "../runtime/call/tool-outcome.js";

/**
 * Thrown for a failed tool call, for frameworks that expect exceptions. The message is the text
 * that the model reads; it lists the rolled-back changes.
 */
export class ToolCallError extends AdapterError {
  override readonly name = "ToolCallError";
  readonly outcome: ToolOutcome;

  constructor(outcome: ToolOutcome) {
    const given: Partial<ToolOutcome> = outcome ?? {};
    const { toolName = "?", text = "the call failed" } = given;
    super("TOOL_CALL_FAILED", { subject: `tool '${toolName}'`, reason: text });
    this.message = text;
    this.outcome = outcome;
  }
}

/** Whether `error` is a {@link ToolCallError}. */
export function isToolCallError(error: unknown): error is ToolCallError {
  return isAdapterError(error, "TOOL_CALL_FAILED");
}

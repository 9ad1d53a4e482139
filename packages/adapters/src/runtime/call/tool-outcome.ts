import type { ToolResult } from "@wink/prompt";

/** How a call ended. Only what `succeeded` did is in force. */
export type ToolCallStatus =
  | "succeeded"
  /** The handler said so, threw, or answered with what does not fit. */
  | "failed"
  /** There is no such tool. */
  | "unknown"
  /** The arguments do not fit the tool. */
  | "invalid"
  /** A policy kept the call from running. */
  | "denied"
  /** The call could not be made: the budget is used up, or an earlier call could not be undone. */
  | "refused"
  /** The tool's own time limit. */
  | "timed-out"
  /** The run's deadline. */
  | "deadline"
  | "aborted";

export interface ToolOutcome {
  readonly toolCallId: string;
  /** As the model wrote it. */
  readonly toolName: string;
  readonly status: ToolCallStatus;
  readonly result: ToolResult;
  /** The answer to the model. */
  readonly text: string;
  /** Whether the call had done something that was undone. */
  readonly rolledBack: boolean;
}

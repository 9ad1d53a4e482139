import type { ToolResult } from "@wink/prompt";

/** How a call ended. Only the changes of a `succeeded` call are committed. */
export type ToolCallStatus =
  | "succeeded"
  /** The handler returned a failure, threw, or returned an invalid value. */
  | "failed"
  /** The tool does not exist. */
  | "unknown"
  /** The arguments do not match the tool's schema. */
  | "invalid"
  /** A policy denied the call. */
  | "denied"
  /**
   * The call was not started: the budget is used up, or an earlier call could not be rolled back.
   */
  | "refused"
  /** The tool's timeout passed. */
  | "timed-out"
  /** The run's deadline passed. */
  | "deadline"
  | "aborted"
  /** The run waits for something outside. The call was rolled back, and is made again when the run continues. */
  | "parked";

export interface ToolOutcome {
  readonly toolCallId: string;
  /** The name that the model wrote. */
  readonly toolName: string;
  readonly status: ToolCallStatus;
  readonly result: ToolResult;
  /** The answer to the model. */
  readonly text: string;
  /** Whether the call had changes that were rolled back. */
  readonly rolledBack: boolean;
  /** Why the call failed, without the sentence about the rollback. Missing if it is the message. */
  readonly reason?: string;
}

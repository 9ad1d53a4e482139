import type { FinishReason, Usage } from "./provider-adapter.js";
import type { ToolResult } from "./tool-result.js";

/** Something that happens in a run, in the order in which it does. */
export type AgentEvent =
  | { readonly type: "turn-started"; readonly turn: number }
  | { readonly type: "text-delta"; readonly turn: number; readonly text: string }
  | ToolCallStarted
  | ToolCallFinished
  | { readonly type: "feedback"; readonly provider: string; readonly text: string }
  | { readonly type: "turn-finished"; readonly turn: number; readonly usage: Usage }
  | { readonly type: "finished"; readonly finishReason: FinishReason; readonly usage: Usage };

export interface ToolCallStarted {
  readonly type: "tool-call-started";
  readonly turn: number;
  readonly toolCallId: string;
  readonly toolName: string;
  /** As the model sent it. */
  readonly input: unknown;
}

export interface ToolCallFinished {
  readonly type: "tool-call-finished";
  readonly turn: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly result: ToolResult;
  /** Whether a policy kept the call from running. */
  readonly denied: boolean;
  /** Whether what the call had done was undone. */
  readonly rolledBack: boolean;
}

import type { FinishReason, RunUsage } from "./provider-adapter.js";
import type { ToolResult } from "./tool-result.js";

/** The events of a run, in the order in which they happen. `finished` is the last one. */
export type AgentEvent =
  | { readonly type: "turn-started"; readonly turn: number }
  | { readonly type: "text-delta"; readonly turn: number; readonly text: string }
  | ThoughtStreamed
  | RequestRetried
  | {
      readonly type: "tool-call-started";
      readonly turn: number;
      readonly toolCallId: string;
      readonly toolName: string;
      /** The input as the model sent it. */
      readonly input: unknown;
    }
  | ToolCallFinished
  | { readonly type: "feedback"; readonly provider: string; readonly text: string }
  | { readonly type: "turn-finished"; readonly turn: number; readonly usage: RunUsage }
  | { readonly type: "finished"; readonly finishReason: FinishReason; readonly usage: RunUsage };

/** A part of what the model thinks, as far as the provider shows it. It is not part of the answer. */
export interface ThoughtStreamed {
  readonly type: "thought-delta";
  readonly turn: number;
  readonly text: string;
}

/** A request to the model failed, and will be sent again after `delayMs`. */
export interface RequestRetried {
  readonly type: "retry";
  readonly turn: number;
  /** The number of the failed attempt, from 1. */
  readonly attempt: number;
  readonly delayMs: number;
  /** The code of the error. */
  readonly reason: string;
}

export interface ToolCallFinished {
  readonly type: "tool-call-finished";
  readonly turn: number;
  readonly toolCallId: string;
  readonly toolName: string;
  readonly result: ToolResult;
  /** Whether a policy denied the call. */
  readonly denied: boolean;
  /** Whether the effects of the call were rolled back. */
  readonly rolledBack: boolean;
  /** Why the call failed, without the sentence about the rollback. Missing if it is the message. */
  readonly reason?: string;
}

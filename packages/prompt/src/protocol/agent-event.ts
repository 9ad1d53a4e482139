import type { FinishReason, RunUsage } from "./provider-adapter.js";
import type { ToolResult } from "./tool-result.js";

/** The events of a run, in the order in which they happen. `finished` is the last one. */
export type AgentEvent =
  | { readonly type: "turn-started"; readonly turn: number }
  | { readonly type: "text-delta"; readonly turn: number; readonly text: string }
  /** A part of what the model thinks, as far as the provider shows it. It is not part of the answer. */
  | { readonly type: "thought-delta"; readonly turn: number; readonly text: string }
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
  | {
      readonly type: "turn-finished";
      readonly turn: number;
      readonly usage: RunUsage;
      /** What the provider reported about the model's answer. @default nothing */
      readonly answer?: AnswerFacts | undefined;
    }
  | { readonly type: "finished"; readonly finishReason: FinishReason; readonly usage: RunUsage };

/** What a provider reports about an answer, besides its text and its calls. */
export interface AnswerFacts {
  /** The provider's id of the response. @default unknown */
  readonly responseId?: string | undefined;
  /** The model that answered, which may be a dated version of the requested one. @default unknown */
  readonly model?: string | undefined;
  /** What the model cites. @default nothing */
  readonly sources?: readonly ModelSource[] | undefined;
  /** What the provider ignored or changed in the request. @default nothing */
  readonly warnings?: readonly string[] | undefined;
}

/** A page or document that a model cites. */
export interface ModelSource {
  /** @default none, for a document of the request */
  readonly url?: string | undefined;
  /** @default unknown */
  readonly title?: string | undefined;
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

import type { FinishReason, RunUsage } from "@wink/prompt";
import type { ContextOptions } from "../runtime/loop/context-window.js";
import type { ModelTurn, ModelUsage } from "../runtime/loop/model-client.js";

export const TRANSCRIPT_FORMAT = "wink-transcript";
export const TRANSCRIPT_VERSION = 1;

/** The hash of a part. */
export type PartId = string;

/** Fields of every record that is not a part. */
export interface EntryBase {
  /** Which evaluation on the session: 1, 2, … */
  readonly run: number;
  /** The number of the session's last event at that moment. */
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

/** Fields of every record that belongs to a turn. */
export interface TurnEntryBase extends EntryBase {
  readonly turn: number;
}

/** The limits of an evaluation. A missing one is not limited. */
export interface RunLimits {
  readonly maxTurns?: number | undefined;
  /** Milliseconds since 1970. */
  readonly deadline?: number | undefined;
  /** What the budget still has at the start. */
  readonly budget?: Readonly<Record<string, number>> | undefined;
}

/** An evaluation starts. */
export interface RunStarted extends EntryBase {
  readonly kind: "run";
  /** The prompt as `ns/key`. */
  readonly prompt: string;
  /** The hash of the prompt's descriptor. */
  readonly hash: string;
  readonly adapter: string;
  readonly limits: RunLimits;
  /** The messages before the model's first turn. @default none */
  readonly messages?: readonly PartId[] | undefined;
  /** How the conversation is kept inside the model's context window. @default unknown, because an earlier version wrote the record */
  readonly context?: ContextOptions | undefined;
}

/**
 * A request to the model. Its messages are the first `keep` messages of the run's previous request, then `add`.
 */
export interface ModelAsked extends TurnEntryBase {
  readonly kind: "ask";
  /** A retry has the next number. @default 1 */
  readonly attempt?: number | undefined;
  /** `summary`: the model was asked to summarise. It is not a turn of the conversation. @default a turn */
  readonly purpose?: "summary" | undefined;
  /** A part with the sections: `RecordedSection[]`. */
  readonly prompt: PartId;
  /** A part with the ids of the tools' parts. */
  readonly tools: PartId;
  /** The schema of the output. @default any text */
  readonly output?: PartId | undefined;
  /** A part with the settings: `ModelSettings`. @default none */
  readonly settings?: PartId | undefined;
  readonly keep: number;
  readonly add: readonly PartId[];
}

/** The model's answer. */
export interface ModelAnswered extends TurnEntryBase {
  readonly kind: "turn";
  readonly attempt?: number | undefined;
  /** The purpose of the request. @default a turn of the conversation */
  readonly purpose?: "summary" | undefined;
  /** The assistant's message: text, tool calls with their input, and the provider's data such as signed thinking. */
  readonly message: PartId;
  readonly stopReason: ModelTurn["stopReason"];
  readonly usage: ModelUsage;
  /** A part with what the provider reported about the answer: `AnswerFacts`, and `thoughts`. @default nothing */
  readonly facts?: PartId | undefined;
  /** When the first text arrived. Missing if the answer has no text. */
  readonly firstTextAt?: number | undefined;
}

/** A request that failed. */
export interface ModelFailed extends TurnEntryBase {
  readonly kind: "failed";
  readonly attempt?: number | undefined;
  readonly code: string;
  readonly reason: string;
  readonly retryAfterMs?: number | undefined;
}

/** A tool call starts. Its input is in the turn's message. */
export interface CallStarted extends TurnEntryBase {
  readonly kind: "call";
  readonly call: string;
}

/** How a tool call ended. If a call has several, the last one counts. */
export interface CallAnswered extends TurnEntryBase {
  readonly kind: "outcome";
  readonly call: string;
  readonly status: string;
  /** The tool's message: what the model reads. */
  readonly message: PartId;
  readonly rolledBack?: true | undefined;
  /** A part with the facts of the call's end event in the log, if there are more than the status. */
  readonly facts?: PartId | undefined;
  /**
   * The process ended during the call. `again`: the call is made again when the run continues. `unknown`: it may have
   * acted outside, so it is not made again. @default the call ended
   */
  readonly interrupted?: "again" | "unknown" | undefined;
  /** What was thrown, with its stack. Without keys. */
  readonly errors?: PartId | undefined;
}

/** The messages that the loop added at the end of a turn: neither the model nor a tool wrote them. */
export interface MessagesAdded extends TurnEntryBase {
  readonly kind: "added";
  readonly messages: readonly {
    /** Such as `feedback`, or `output` for an answer that was sent back. */
    readonly reason: string;
    readonly message: PartId;
  }[];
}

/** Another process, or the same one after a pause, continues the evaluation. */
export interface RunResumed extends EntryBase {
  readonly kind: "resume";
}

/** The run waits for something outside. */
export interface RunParked extends EntryBase {
  readonly kind: "park";
  /** For the program that answers: 1, 2, … */
  readonly park: string;
  /** Identifies the call, and which of its waits this is. */
  readonly key: string;
  /** A part: the `ParkReason`. */
  readonly reason: PartId;
}

/** What the run waited for has arrived. */
export interface ParkAnswered extends EntryBase {
  readonly kind: "answer";
  readonly park: string;
  readonly value: PartId;
}

/** A person was asked, or decided, about a call. */
export interface ApprovalNoted extends TurnEntryBase {
  readonly kind: "approval";
  /** The hash of the call: prompt, tool and input. */
  readonly approval: string;
  readonly call: string;
  readonly what: "requested" | "approved" | "denied" | "parked";
  /** What the person saw: an `ApprovalQuestion`. */
  readonly question?: PartId | undefined;
  /** An earlier answer allowed the call. */
  readonly remembered?: true | undefined;
  /** Why the call was denied. */
  readonly reason?: string | undefined;
}

/** The loop decided which messages the model sees from the next request on. */
export interface ContextNoted extends TurnEntryBase {
  readonly kind: "context";
  /** The results of tools before this message of the conversation are not shown. */
  readonly clearedBefore: number;
  /** The limit of a request, if the provider has refused a longer one. @default the limit of the run's options */
  readonly limitTokens?: number | undefined;
  /** Longer results are shown in part. @default the limit of the run's options */
  readonly maxResultCharacters?: number | undefined;
  /** `maxResultCharacters` applies to the results before this message of the conversation. @default all */
  readonly shrunkBefore?: number | undefined;
  /** How many messages a summary replaces, and the parts with the summary and with what it pins. */
  readonly summary?:
    | {
        readonly before: number;
        readonly message: PartId;
        readonly pinned: PartId;
        /** Whether the model has just written it. */
        readonly isNew: boolean;
      }
    | undefined;
}

/** An evaluation has ended. */
export interface RunEnded extends EntryBase {
  readonly kind: "end";
  readonly finishReason: FinishReason | "failed" | "aborted";
  readonly usage?: RunUsage | undefined;
  /** The validated output, if the template has one. */
  readonly output?: PartId | undefined;
  /** Why it failed: name and message, without keys. */
  readonly error?: string | undefined;
}

export type TranscriptEntry =
  | RunStarted
  | ModelAsked
  | ModelAnswered
  | ModelFailed
  | CallStarted
  | CallAnswered
  | MessagesAdded
  | RunResumed
  | RunParked
  | ParkAnswered
  | ApprovalNoted
  | ContextNoted
  | RunEnded;

/** A section of a recorded prompt. The prompt's text is the texts of its sections, one after the other. */
export interface RecordedSection {
  readonly path: string;
  readonly title: string;
  readonly visibility: "full" | "summary";
  readonly text: PartId;
}

// The overview of a run: small enough to be loaded whole, also with 100,000 events.

/** A run of the list: `"0"`, `"1"`, …. A subagent's run is named after its parent and the event that started it: `"0.41"`. */
export type RunKey = string;

/** Tokens and money. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
  /** `null` if the prices of the model are unknown. */
  readonly costUsd: number | null;
}

/** A run in a list. */
export interface RunSummary {
  readonly key: RunKey;
  /** The id in `run.json`, or the name of the log. */
  readonly id: string;
  /** How a command names the run: a path, or a store and an id. Empty in an exported page. */
  readonly place: string;
  readonly agent: string | null;
  readonly model: string | null;
  /** The prompt as `ns/key`. */
  readonly prompt: string | null;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** `null` while the last evaluation is active, or if its process ended without an end. */
  readonly endedAt: number | null;
  /** How the last evaluation ended; `active` while it has no end. */
  readonly status: string;
  readonly events: number;
  readonly turns: number;
  readonly calls: number;
  readonly failedCalls: number;
  readonly undoneCalls: number;
  /** Paths that differ between the start and the last event. `null` if the run stores no files. */
  readonly changedFiles: number | null;
  readonly usage: Usage;
  /** The run that started this one as a subagent. */
  readonly parent: { readonly run: RunKey; readonly sequence: number } | null;
}

/** One evaluation of a prompt. A session may have several. */
export interface EvaluationRow {
  /** 1, 2, … */
  readonly run: number;
  readonly prompt: string;
  readonly adapter: string;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** The number of the session's last event when it started and ended. */
  readonly from: number;
  readonly to: number | null;
  readonly status: string;
  readonly error: string | null;
  /** The id of the part with the validated output. */
  readonly output: string | null;
  readonly limits: {
    readonly maxTurns: number | null;
    /** Milliseconds since 1970. */
    readonly deadline: number | null;
    /** What the budget had at the start, by name: `tokens`, `costUsd`, `toolCalls`, … */
    readonly budget: Readonly<Record<string, number>>;
  };
}

/** A request that failed and was sent again. */
export interface RetryRow {
  readonly at: number;
  readonly code: string;
  readonly reason: string;
}

export interface TurnRow {
  /** The position in `RunOverview.turns`. */
  readonly index: number;
  /** The evaluation: 1, 2, … */
  readonly run: number;
  /** From 0, within the evaluation. */
  readonly turn: number;
  /** The first and the last event of the turn. */
  readonly from: number;
  readonly to: number;
  /** The first 200 characters of the model's text. */
  readonly text: string;
  /** When the request was sent, when the first text arrived, and when the answer was complete. Milliseconds since 1970. */
  readonly askedAt: number;
  readonly firstTextAt: number | null;
  readonly answeredAt: number | null;
  /** When the last call of the turn had ended. */
  readonly endedAt: number | null;
  readonly stopReason: string | null;
  readonly retries: readonly RetryRow[];
  /** Tokens and money of this turn, and of all turns up to and including it. */
  readonly usage: Usage;
  readonly total: Usage;
  /** Tool calls up to and including this turn, for limits. */
  readonly totalCalls: number;
  /** The calls of the turn: `calls.slice(firstCall, firstCall + callCount)`. */
  readonly firstCall: number;
  readonly callCount: number;
  /** Equal for requests with the same prompt, tools and messages. */
  readonly requestKey: string;
}

export interface CallRow {
  /** The position in `RunOverview.calls`. */
  readonly index: number;
  readonly toolCallId: string;
  readonly tool: string;
  /** The position of its turn, or `null` for a call outside a loop, such as over MCP. */
  readonly turn: number | null;
  readonly access: string;
  /** Its start event and its end event. */
  readonly start: number;
  readonly end: number | null;
  readonly startedAt: number;
  readonly endedAt: number | null;
  /** `succeeded`, `failed`, `denied`, …; `active` while it has no end. */
  readonly status: string;
  readonly isFailed: boolean;
  /** How long it waited for other calls and for approval, and how long its handler ran. */
  readonly queuedMs: number;
  readonly ranMs: number;
  /** How many paths and events its rollback undid. `null` if nothing was rolled back. */
  readonly undone: {
    readonly paths: number;
    readonly events: number;
    readonly complete: boolean;
  } | null;
  /** Events of the call that describe changes of files and were committed. */
  readonly changes: number;
  /** The first path that it read, changed or undid. */
  readonly path: string | null;
  /** The beginning of its input as JSON, at most 100 characters. */
  readonly input: string;
  /** Equal for calls of the same tool with the same input. */
  readonly inputKey: string;
  /** The subagent's run that the call started. */
  readonly child: RunKey | null;
}

/** Bits of `EventColumns.flags`. */
export const EVENT_FLAGS = {
  /** The event belongs to a failed call, or is a failure itself. */
  failed: 1,
  /** A rollback undid the event, or the event reports a rollback. */
  undone: 2,
  /** The event describes a change of files. */
  changing: 4,
  /** Another row has the same information. */
  minor: 8,
} as const;

/** Facts about every event, by column. Item `i` is event `from + i`. */
export interface EventColumns {
  readonly from: number;
  /** The names that `type` refers to. */
  readonly types: readonly string[];
  readonly type: readonly number[];
  /** The position of the call that it belongs to, or `-1`. */
  readonly call: readonly number[];
  /** The position of its turn, or `-1`. */
  readonly turn: readonly number[];
  readonly flags: readonly number[];
  /** Milliseconds since `RunOverview.epoch`. */
  readonly time: readonly number[];
}

/** The time during which one process wrote the run. */
export interface ProcessRow {
  /** 1, 2, … */
  readonly process: number;
  /** The first event that it wrote. */
  readonly from: number;
  readonly startedAt: number;
  /** `start` or `taken over`. */
  readonly reason: string;
  /** The id of the process, a hash of the machine's name, and the name that a worker gave itself. */
  readonly pid: number | null;
  readonly host: string | null;
  readonly worker: string | null;
}

/** A call that waits for a person, or waited for one. */
export interface ApprovalRow {
  readonly id: string;
  readonly sequence: number;
  readonly at: number;
  readonly toolCallId: string | null;
  readonly status: "waiting" | "approved" | "denied" | "ended";
  readonly reason: string;
}

/** How much of a run the reader has. Send it back to get only later data. */
export interface Position {
  readonly events: number;
  readonly turns: number;
  readonly calls: number;
  /** Changes whenever anything was added. */
  readonly version: string;
}

/**
 * The data of a whole run. With a position, the arrays contain only later data, which `mergeOverview` adds.
 */
export interface RunOverview {
  readonly summary: RunSummary;
  /** The unchanged content of `run.json`. */
  readonly header: Readonly<Record<string, unknown>> | null;
  /** The start for the times of events, in milliseconds since 1970. */
  readonly epoch: number;
  readonly firstSequence: number;
  readonly lastSequence: number;
  readonly isActive: boolean;
  readonly evaluations: readonly EvaluationRow[];
  /** From here on, `turns`, `calls` and `columns` replace the earlier data. All are zero in the first answer. */
  readonly since: { readonly turns: number; readonly calls: number };
  readonly turns: readonly TurnRow[];
  readonly calls: readonly CallRow[];
  readonly columns: EventColumns;
  /** The events after which the files have another state, with the state's id. */
  readonly states: readonly { readonly sequence: number; readonly id: string }[];
  readonly processes: readonly ProcessRow[];
  readonly approvals: readonly ApprovalRow[];
  readonly children: readonly { readonly sequence: number; readonly run: RunKey }[];
  /** What the source has. An export can omit prompts or files. */
  readonly has: { readonly prompts: boolean; readonly files: boolean; readonly states: boolean };
  /** The first failed or undone call, where the page opens. */
  readonly firstProblem: number | null;
  readonly position: Position;
}

import { defineEvent, defineState } from "@wink/session";
import type { PlannedChange } from "../protocol/tool-files.js";
import { eventSchema, is, plainSchema } from "../schema/event-schema.js";

/** A call is about to start. Everything before it is committed. */
export const StartToolCall = defineEvent(
  "run.start-tool-call",
  eventSchema<
    Pick<EndedToolCall, "toolCallId" | "tool" | "run" | "turn"> & {
      readonly access: string;
      /** `workspace` or `external`. Missing in logs of earlier versions. */
      readonly effects?: string;
    }
  >({
    toolCallId: is.text,
    tool: is.text,
    access: is.text,
    effects: is.optional(is.text),
    run: is.optional(is.amount),
    turn: is.optional(is.amount),
  }),
);

export interface EndedToolCall {
  readonly toolCallId: string;
  /** The evaluation of the session that made the call, from 1. Missing for a call outside a loop, such as over MCP. */
  readonly run?: number;
  /** The turn of the model, counted from 0. Missing for a call outside a loop. */
  readonly turn?: number;
  /** The prompt as `ns/key`. */
  readonly prompt: string;
  readonly tool: string;
  readonly status: string;
  readonly success: boolean;
  /** How long the handler ran. 0 if it did not run. */
  readonly durationMs: number;
  /**
   * How long the call waited before its handler ran: for other calls, for policies, and for its
   * locks. Missing in logs of earlier versions.
   */
  readonly queuedMs?: number;
  /**
   * How many events of the call describe changes of files. Together they describe all changes.
   * Missing if nothing guarantees that: the call was not committed, its loop has no transactions,
   * or the log is of an earlier version.
   */
  readonly changes?: number;
  /** The number of the last event in the resulting state. */
  readonly sequence: number;
  /** The state of the files after the call, if the run stores states. */
  readonly snapshot?: string;
  /** Files that the model has seen or changed. Missing if there are none. */
  readonly files?: readonly {
    /** The path of the workspace section that owns the file. */
    readonly workspace: string;
    /** The path as the filesystem reports it. */
    readonly path: string;
    readonly how: "view" | PlannedChange["extent"];
    /** The revision that the model knows after the call. Missing for a `transfer`. */
    readonly revision?: string;
    /** The lines of a view: offset, count, and the number of lines of the file. */
    readonly lines?: readonly number[];
  }[];
  /** What was rolled back. Missing if the call had changed nothing. */
  readonly undone?: {
    readonly reason: string;
    readonly paths: readonly string[];
    /** How many session events were rolled back. */
    readonly events: number;
    /** If false, files or session could not be restored, and calls are refused until `recover`. */
    readonly complete: boolean;
    /** The state of the files before the rollback, if the run stores states. */
    readonly snapshot?: string;
  };
  /** The errors of the handler, of policies and of saving files. Missing if there were none. */
  readonly errors?: readonly {
    /** Such as `tool edit_file` or `policy approval`. */
    readonly where: string;
    readonly name: string;
    /** Short, and without keys. */
    readonly message: string;
  }[];
}

/** A file that the model has seen or changed in a call. */
export type ToolCallFile = NonNullable<EndedToolCall["files"]>[number];

/** A call has ended. Its changes are committed if `success` is true, and rolled back otherwise. */
export const EndToolCall = defineEvent(
  "run.end-tool-call",
  eventSchema<EndedToolCall>({
    toolCallId: is.text,
    prompt: is.text,
    tool: is.text,
    status: is.text,
    success: is.flag,
    durationMs: is.amount,
    queuedMs: is.optional(is.amount),
    changes: is.optional(is.amount),
    run: is.optional(is.amount),
    turn: is.optional(is.amount),
    sequence: is.amount,
    snapshot: is.optional(is.text),
    files: is.optional(
      is.listOf(
        is.object({
          workspace: is.text,
          path: is.text,
          how: is.text,
          revision: is.optional(is.text),
          lines: is.optional(is.listOf(is.amount)),
        }),
      ),
    ),
    undone: is.optional(
      is.object({
        reason: is.text,
        paths: is.listOf(is.text),
        events: is.amount,
        complete: is.flag,
        snapshot: is.optional(is.text),
      }),
    ),
    errors: is.optional(is.listOf(is.object({ where: is.text, name: is.text, message: is.text }))),
  }),
);

/** The calls whose handler ran, by prompt. */
export const ToolCalls = defineState({
  name: "prompt.tool-calls",
  schema: plainSchema<
    Readonly<
      Record<
        string,
        {
          readonly count: number;
          /** The names of the tools that have succeeded. */
          readonly succeeded: readonly string[];
        }
      >
    >
  >(is.recordOf(is.object({ count: is.amount, succeeded: is.listOf(is.text) }))),
  initial: {},
  reducers: (on) => [
    on(EndToolCall, (calls, { prompt, tool, status, success }) => {
      if (!didRun(status)) return calls;
      const { count, succeeded } = calls[prompt] ?? { count: 0, succeeded: [] };
      const isNew = success && !succeeded.includes(tool);
      return {
        ...calls,
        [prompt]: { count: count + 1, succeeded: isNew ? [...succeeded, tool] : succeeded },
      };
    }),
  ],
});

/** Whether a call with this status ran to the end of its handler. */
export function didRun(status: string): boolean {
  return status === "succeeded" || status === "failed";
}

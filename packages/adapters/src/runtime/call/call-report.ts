import { fail, type ToolResult } from "@wink/prompt";
import { type EndedToolCall, EndToolCall, renderResult } from "@wink/prompt/adapter";
import type { SessionEvent } from "@wink/session";
import { clip } from "../context/clip.js";
import { type CallLimits, DEFAULT_CALL_LIMITS } from "../context/limits.js";
import { describeError, reportError } from "../context/report-error.js";
import { safeCause } from "../context/safe-cause.js";
import { type CallAnswer, resourceOf } from "../transaction/call-resource.js";
import { type CallMeta, SessionHandle } from "../transaction/session-handle.js";
import type { CancelReason } from "./call-limit.js";
import { isForModel } from "./describe-failure.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";
import type { ToolCallStatus, ToolOutcome } from "./tool-outcome.js";

/** The answer to every call while an earlier one is not rolled back. */
export const BLOCKED =
  "An earlier call could not be undone, so no tool can be used until the workspace has been recovered.";

/** What the model reads about a call that may have acted outside before it was stopped. */
export const UNKNOWN_OUTCOME =
  "It is not known whether it acted outside of the workspace. Check that before you call it again.";

const MAX_NAME_SHOWN = 64;
const ENDED = {
  aborted: "was aborted",
  deadline: "was cancelled because the deadline of the task has passed",
  "timed-out": "timed out",
  parked: "waits for an answer",
} as const;

export type UndoneChanges = NonNullable<EndedToolCall["undone"]>;

interface FailedOptions {
  /** @default none */
  readonly hint?: string | undefined;
  /** @default nothing */
  readonly undone?: UndoneChanges | undefined;
  /** Why the call failed, if `message` contains more than that. @default the message */
  readonly reason?: string | undefined;
  /** @default limits.maxMessageCharacters */
  readonly maxCharacters?: number;
}

interface AnswerOptions {
  /** @default false */
  readonly rolledBack?: boolean;
  /** What happens to a call that was stopped with its run, when the run continues. @default it has ended */
  readonly interrupted?: CallAnswer["interrupted"];
  /** The facts for the end event of the call, so that another process can write that event. @default nothing */
  readonly facts?: Pick<EndedOptions, "snapshot" | "files" | "changes">;
}

/** The facts without missing and empty ones. */
function definedOf(facts: NonNullable<AnswerOptions["facts"]>): NonNullable<CallAnswer["facts"]> {
  const { snapshot, files = [], changes } = facts;
  return {
    ...(snapshot !== undefined && { snapshot }),
    ...(files.length > 0 && { files }),
    ...(changes !== undefined && { changes }),
  };
}

/** Facts that only some calls have. */
type EndedOptions = {
  readonly [Name in "snapshot" | "files" | "undone" | "changes"]?: EndedToolCall[Name] | undefined;
} & Pick<FailedOptions, "reason">;

/** Reports how a call ended: to the model, and in the session. */
export class CallReport {
  readonly limits: CallLimits;
  /** Recorded with every event of the call. */
  readonly meta: CallMeta;
  /** The run and the turn of the call, for the events of the loop. */
  readonly position: Pick<EndedToolCall, "run" | "turn">;
  readonly #options: RunToolCallOptions;
  readonly #createdAtMs = performance.now();
  /** `undefined` until the handler runs. */
  #startedAtMs: number | undefined;
  /** How long the running handler has waited for locks. */
  #waitedMs = 0;
  readonly #errors: NonNullable<EndedToolCall["errors"]>[number][] = [];
  /** The errors with their stacks, for the transcript. */
  readonly #thrown: CallAnswer["errors"][number][] = [];

  constructor(options: RunToolCallOptions) {
    this.#options = options;
    const { limits, run, turn, call } = options;
    const { toolCallId } = call;
    this.meta = turn === undefined ? { toolCallId } : { toolCallId, turn };
    this.position = {
      ...(run === undefined ? {} : { run }),
      ...(turn === undefined ? {} : { turn }),
    };
    this.limits =
      limits === undefined ? DEFAULT_CALL_LIMITS : { ...DEFAULT_CALL_LIMITS, ...limits };
  }

  /** The call has waited for its turn, and its handler begins now. */
  start(): void {
    this.#startedAtMs = performance.now();
  }

  /** Counts the time until `work` settles as waiting. */
  async wait<T>(work: () => Promise<T>): Promise<T> {
    const fromMs = performance.now();
    try {
      return await work();
    } finally {
      this.#waitedMs += performance.now() - fromMs;
    }
  }

  unknown(): ToolOutcome {
    const { rendered, call } = this.#options;
    const names = rendered.tools.map(({ name }) => name).join(", ");
    const shown = JSON.stringify(String(call.toolName).slice(0, MAX_NAME_SHOWN));
    return this.failed("unknown", `There is no tool ${shown}.`, {
      hint: names === "" ? "No tools are available now." : `The tools are: ${names}.`,
    });
  }

  /** @param sentence about the rolled-back changes, or "" */
  cancelled(why: CancelReason, sentence: string, undone: UndoneChanges | undefined): ToolOutcome {
    const { toolName } = this.#options.call;
    const reason = `${toolName} ${ENDED[why]}.`;
    const message = `${reason} ${sentence || "It changed nothing."}`;
    return this.failed(why, message, { undone, reason });
  }

  failed(status: ToolCallStatus, message: string, options: FailedOptions = {}): ToolOutcome {
    const { hint, undone, reason, maxCharacters = this.limits.maxMessageCharacters } = options;
    const result = fail(clip(message, maxCharacters), {
      hint: hint && clip(hint, maxCharacters),
    });
    return this.ended(status, result, renderResult({}, result), { undone, reason });
  }

  ended(
    status: ToolCallStatus,
    result: ToolResult,
    text: string,
    { snapshot, files, undone, changes, reason }: EndedOptions = {},
  ): ToolOutcome {
    const { call, session, rendered } = this.#options;
    const { toolCallId } = call;
    const { ns, key } = rendered.prompt;
    const toolName = String(call.toolName);
    const rolledBack = undone !== undefined;
    // The model reads nothing about a call that is made again later.
    if (status !== "succeeded" && status !== "parked") {
      const interrupted = status === "aborted" ? this.#interrupted() : undefined;
      const answer = interrupted === "unknown" ? `${text} ${UNKNOWN_OUTCOME}` : text;
      this.#answerAnyway(status, result, answer, { rolledBack, interrupted });
    }
    this.record(() =>
      EndToolCall({
        toolCallId,
        prompt: `${ns}/${key}`,
        tool: toolName.slice(0, MAX_NAME_SHOWN),
        status,
        success: result.success,
        ...this.#times(),
        ...this.position,
        ...(changes === undefined ? {} : { changes }),
        sequence: session.sequence,
        ...(snapshot === undefined ? {} : { snapshot }),
        ...(files === undefined || files.length === 0 ? {} : { files }),
        ...(undone === undefined ? {} : { undone }),
        ...(this.#errors.length === 0 ? {} : { errors: [...this.#errors] }),
      }),
    );
    const outcome = { toolCallId, toolName, status, result, text, rolledBack };
    return Object.freeze(reason === undefined ? outcome : { ...outcome, reason });
  }

  /**
   * Writes what the model will read to the transcript. For a call that succeeded, this comes before its commit, so
   * that a committed call always has its answer. Throws if it cannot be written.
   */
  answer(
    status: ToolCallStatus,
    result: ToolResult,
    text: string,
    { rolledBack = false, interrupted, facts }: AnswerOptions = {},
  ): void {
    const { call, session } = this.#options;
    const { transcript } = resourceOf(session);
    if (transcript === undefined) return;
    const { success } = result;
    const toolName = String(call.toolName);
    const message = { role: "tool", toolCallId: call.toolCallId, toolName, text, success } as const;
    const images = result.success ? result.images : undefined;
    transcript.answered({
      message: images === undefined ? message : { ...message, images },
      ...{ status, rolledBack, errors: this.#thrown },
      ...(interrupted && { interrupted }),
      ...(facts && { facts: definedOf(facts) }),
    });
  }

  /**
   * What happens to the stopped call when the run continues, as if its process had ended. A call that had not started
   * has done nothing, so it can be made again.
   */
  #interrupted(): "again" | "unknown" {
    const { rendered, call } = this.#options;
    const hasStarted = this.#startedAtMs !== undefined;
    const isExternal = rendered.tool(String(call.toolName))?.effects === "external";
    return hasStarted && isExternal ? "unknown" : "again";
  }

  #answerAnyway(...answer: Required<Parameters<CallReport["answer"]>>): void {
    try {
      this.answer(...answer);
    } catch (error) {
      this.tell(error, "transcript");
    }
  }

  #times(): { durationMs: number; queuedMs: number } {
    const nowMs = performance.now();
    const startedAtMs = this.#startedAtMs ?? nowMs;
    const waitedMs = this.#waitedMs;
    return {
      durationMs: Math.max(0, nowMs - startedAtMs - waitedMs),
      queuedMs: startedAtMs - this.#createdAtMs + waitedMs,
    };
  }

  /** Records an event in the session. Returns whether that succeeded. */
  record(event: () => SessionEvent): boolean {
    try {
      SessionHandle.record(this.#options.session, event(), this.meta);
      return true;
    } catch (error) {
      this.tell(error, "session");
      return false;
    }
  }

  /** Passes an error to `onError`, and records its name and message with the end of the call. */
  tell(error: unknown, where: string): void {
    const described = { where, ...describeError(error) };
    this.#errors.push(described);
    const stack = safeCause(error, [])?.stack;
    this.#thrown.push(stack === undefined ? described : { ...described, stack });
    const { onError } = this.#options;
    // An error that the model reads is often its own mistake, such as a wrong path.
    if (onError === undefined && isForModel(error)) return;
    reportError(onError, error, where);
  }
}

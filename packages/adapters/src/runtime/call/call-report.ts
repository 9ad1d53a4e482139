import { fail, type RenderedTool, type ToolResult } from "@wink/prompt";
import { renderResult } from "@wink/prompt/adapter";
import type { SessionEvent } from "@wink/session";
import { clip } from "../context/clip.js";
import { type CallLimits, DEFAULT_CALL_LIMITS } from "../context/limits.js";
import { ToolInvoked } from "../context/run-events.js";
import type { GivenUp } from "./call-limit.js";
import { describeThrown } from "./describe-failure.js";
import type { RunToolCallOptions } from "./run-tool-call-options.js";
import type { ToolCallStatus, ToolOutcome } from "./tool-outcome.js";

const MAX_NAME_SHOWN = 64;
const ENDED = {
  aborted: "was aborted",
  deadline: "was cancelled because the deadline of the task has passed",
  "timed-out": "timed out",
} as const;

interface FailedOptions {
  /** @default none */
  readonly hint?: string | undefined;
  /** @default false */
  readonly rolledBack?: boolean;
  /** @default limits.maxMessageCharacters */
  readonly maxCharacters?: number;
}

interface EndedOptions {
  /** @default false */
  readonly rolledBack?: boolean | undefined;
  /** The snapshot of the files after the call. @default none */
  readonly snapshot?: string | undefined;
}

/** Reports how a call ended: to the model, and in the session. */
export class CallReport {
  readonly limits: CallLimits;
  readonly #tool: RenderedTool | undefined;
  readonly #options: RunToolCallOptions;
  readonly #startedAtMs = performance.now();

  constructor(tool: RenderedTool | undefined, options: RunToolCallOptions) {
    this.#tool = tool;
    this.#options = options;
    const { limits } = options;
    this.limits =
      limits === undefined ? DEFAULT_CALL_LIMITS : { ...DEFAULT_CALL_LIMITS, ...limits };
  }

  unknown(): ToolOutcome {
    const { rendered, call } = this.#options;
    const names = rendered.tools.map(({ name }) => name).join(", ");
    const shown = JSON.stringify(String(call.toolName).slice(0, MAX_NAME_SHOWN));
    return this.failed("unknown", `There is no tool ${shown}.`, {
      hint: names === "" ? "No tools are available now." : `The tools are: ${names}.`,
    });
  }

  /** @param undone a sentence about the rolled-back changes, or "" */
  givenUp(why: GivenUp, undone: string, error?: unknown): ToolOutcome {
    if (error !== undefined) this.tell(error, "call");
    const rolledBack = undone !== "";
    const sentence = undone || "It changed nothing.";
    return this.failed(why, `${this.#name} ${ENDED[why]}. ${sentence}`, { rolledBack });
  }

  /** For an unexpected error. */
  broken(error: unknown): ToolOutcome {
    this.tell(error, "call");
    return this.failed("failed", describeThrown(this.#name, error));
  }

  failed(status: ToolCallStatus, message: string, options: FailedOptions = {}): ToolOutcome {
    const { hint, rolledBack, maxCharacters = this.limits.maxMessageCharacters } = options;
    const result = fail(clip(message, maxCharacters), {
      hint: hint && clip(hint, maxCharacters),
    });
    return this.ended(status, result, renderResult({}, result), { rolledBack });
  }

  ended(
    status: ToolCallStatus,
    result: ToolResult,
    text: string,
    { rolledBack = false, snapshot }: EndedOptions = {},
  ): ToolOutcome {
    const { call, session } = this.#options;
    const { toolCallId } = call;
    const toolName = String(call.toolName);
    this.note(() =>
      ToolInvoked({
        toolCallId,
        tool: toolName.slice(0, MAX_NAME_SHOWN),
        status,
        success: result.success,
        durationMs: performance.now() - this.#startedAtMs,
        sequence: session.sequence,
        ...(snapshot === undefined ? {} : { snapshot }),
      }),
    );
    return Object.freeze({ toolCallId, toolName, status, result, text, rolledBack });
  }

  /** Dispatches an event to the session. Returns whether that succeeded. */
  note(event: () => SessionEvent): boolean {
    try {
      this.#options.session.dispatch(event());
      return true;
    } catch (error) {
      this.tell(error, "session");
      return false;
    }
  }

  tell(error: unknown, where: string): void {
    try {
      this.#options.onError?.(error, where);
    } catch {
      // Errors of `onError` itself are ignored.
    }
  }

  get #name(): string {
    return this.#tool?.name ?? "The call";
  }
}

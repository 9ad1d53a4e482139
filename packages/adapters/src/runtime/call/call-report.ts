import { fail, type RenderedTool, renderResult, type ToolResult } from "@wink/prompt";
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
  deadline: "was ended because the time for the whole task is over",
  "timed-out": "took too long and was ended",
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
  /** Of the files as the call left them. @default none */
  readonly snapshot?: string | undefined;
}

/** Writes down how a call ended: for the model, and in the session. */
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
      hint: names === "" ? "There are no tools now." : `The tools are: ${names}.`,
    });
  }

  /** @param undone a sentence on what was taken back, or none */
  givenUp(why: GivenUp, undone: string, error?: unknown): ToolOutcome {
    if (error !== undefined) this.tell(error, "call");
    const rolledBack = undone !== "";
    const sentence = undone || "It has changed nothing.";
    return this.failed(why, `${this.#name} ${ENDED[why]}. ${sentence}`, { rolledBack });
  }

  /** For what was thrown where nothing should be. */
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

  /** Puts an event in the session's log. Answers whether it is there. */
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
      // Whoever listens to errors has nobody to tell of its own.
    }
  }

  get #name(): string {
    return this.#tool?.name ?? "The call";
  }
}

import type { Filesystem } from "@wink/filesystem";
import type { BoundPrompt, OnApproval, RenderedPrompt } from "@wink/prompt";
import type { Session } from "@wink/session";
import { runToolCall } from "../runtime/call/run-tool-call.js";
import type { ToolCallRequest } from "../runtime/call/run-tool-call-options.js";
import type { ToolOutcome } from "../runtime/call/tool-outcome.js";
import { DEFAULT_CALL_LIMITS } from "../runtime/context/limits.js";
import { reportError } from "../runtime/context/report-error.js";
import { requireOptions, requireSession } from "../runtime/context/require-options.js";
import { requirePrompt } from "../runtime/loop/require-prompt.js";
import { resourceOf } from "../runtime/transaction/call-resource.js";
import { INTEROP_OPTIONS, type InteropOptions } from "./interop-options.js";
import { noModel } from "./no-model.js";

/**
 * Runs a prompt's tools for another framework's loop. Each call is a transaction. The prompt is
 * rendered again for each call, because a call may open sections.
 *
 * Opens the prompt and does not close it.
 */
export class PromptTools {
  static async open(
    prompt: BoundPrompt,
    session: Session,
    options: InteropOptions = {},
    { subject = "tools", known = INTEROP_OPTIONS } = {},
  ): Promise<PromptTools> {
    requirePrompt(subject, prompt);
    requireSession(subject, session);
    requireOptions(subject, options, known);
    if (options.limits !== undefined)
      requireOptions("limits", options.limits, Object.keys(DEFAULT_CALL_LIMITS));
    await prompt.open();
    return new PromptTools(prompt, session, options);
  }

  readonly session: Session;
  readonly #prompt: BoundPrompt;
  readonly #options: InteropOptions;
  readonly #running = new Set<Promise<unknown>>();
  #rendered: RenderedPrompt;

  private constructor(prompt: BoundPrompt, session: Session, options: InteropOptions) {
    this.session = session;
    this.#prompt = prompt;
    this.#options = options;
    this.#rendered = prompt.render({ session });
  }

  /** The files of the prompt. */
  get filesystem(): Filesystem | undefined {
    return this.#prompt.filesystem();
  }

  /** Renders the prompt. If rendering fails, reports the error and returns the last rendering. */
  render(): RenderedPrompt {
    try {
      this.#rendered = this.#prompt.render({ session: this.session });
    } catch (error) {
      reportError(this.#options.onError, error, "render");
    }
    return this.#rendered;
  }

  /** Never rejects. The order of calls is the order in which this method is called. */
  call(
    call: ToolCallRequest,
    signal: AbortSignal | undefined,
    ask?: OnApproval,
  ): Promise<ToolOutcome> {
    const { adapter = noModel, deadline, budget, limits, onError } = this.#options;
    const { onApproval = ask } = this.#options;
    const { session } = this;
    const rendered = this.render();
    const run = () =>
      runToolCall({
        ...{ rendered, call, adapter, session, deadline, budget, signal, limits, onError },
        onApproval,
      });
    const outcome = this.#observed(call, rendered, run, signal).then((ended) => {
      this.#running.delete(outcome);
      for (const tell of resourceOf(session).listeners) tell(this);
      return ended;
    });
    this.#running.add(outcome);
    return outcome;
  }

  #observed(
    { toolCallId, toolName, arguments: input }: ToolCallRequest,
    rendered: RenderedPrompt,
    run: () => Promise<ToolOutcome>,
    signal: AbortSignal | undefined,
  ): Promise<ToolOutcome> {
    const { telemetry } = this.#options;
    if (telemetry?.call === undefined) return run();
    const text = typeof input === "string" ? input : JSON.stringify(input);
    const call = { toolCallId, toolName, arguments: text };
    return telemetry.call(call, rendered.tool(toolName), run, signal);
  }

  /** Resolves when no call is running. Every call is then committed or rolled back. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  /**
   * Calls `tell` after each call that another instance makes on the same session. Returns a
   * function that stops this.
   */
  watch(tell: () => void): () => void {
    const { listeners } = resourceOf(this.session);
    const tellOfOthers = (caller: object) => {
      if (caller !== this) tell();
    };
    listeners.add(tellOfOthers);
    return () => listeners.delete(tellOfOthers);
  }
}

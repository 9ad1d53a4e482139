import type { RenderedPrompt } from "@wink/prompt";
import { isModelError } from "../../error/model-error.js";
import { runToolCall } from "../call/run-tool-call.js";
import { ContextCompacted, ModelRetried } from "../context/run-events.js";
import { askModel } from "./ask-model.js";
import { type ContextChange, READ_RESULT } from "./context-state.js";
import { ContextWindow, type PrepareOptions } from "./context-window.js";
import { type ConversationMemory, endedMessages, inheritedContext } from "./conversation-memory.js";
import type { ModelMessage, ModelRequest, ModelTurn } from "./model-client.js";
import type { PromptRunOptions } from "./prompt-run-options.js";
import { requestBase } from "./request-base.js";
import { readResultTool, saveResultTool } from "./result-tools.js";
import type { RunNotes } from "./run-notes.js";
import { withParts } from "./stable-prompt.js";
import { startMessages } from "./start-messages.js";
import { tooLong } from "./too-long.js";
import { shownMessage } from "./tool-message.js";
import { turnSettings } from "./turn-settings.js";
import type { UsageCount } from "./usage-count.js";

/** A page of `read_result` is not shorter than most of this, also if results are shown in smaller parts. */
const MIN_PAGE = 1_000;

export interface TurnRequestsOptions<Output> {
  readonly run: PromptRunOptions<Output>;
  /** The whole conversation, to which the loop adds. */
  readonly messages: readonly ModelMessage[];
  readonly usage: UsageCount;
  readonly notes: RunNotes;
  readonly signal: AbortSignal;
  readonly remainingMs: () => number;
}

/** Makes the requests of a run: what the model sees of the conversation, and what it costs. */
export class TurnRequests<Output> {
  readonly #options: TurnRequestsOptions<Output>;
  readonly #context: ContextWindow;
  /** The decisions of an earlier evaluation that are not recorded yet. */
  #inherited: ContextChange | undefined;

  constructor(options: TurnRequestsOptions<Output>) {
    this.#options = options;
    const { context, from, options: given } = options.run;
    const inherited = from === undefined ? inheritedContext(given) : undefined;
    this.#context = new ContextWindow(context, from?.context ?? inherited);
    // Recorded again, so that this run can be continued without the one before it.
    this.#inherited = inherited && { ...inherited, isSummarised: false };
  }

  /** The messages that the caller gave. */
  async begin(): Promise<readonly ModelMessage[]> {
    const { options, prompt, watch, images } = this.#options.run;
    if (options.messages === undefined) return [];
    const given = await startMessages(options.messages, prompt.filesystem());
    watch.began?.(given);
    return given.map((each) => shownMessage(each, images));
  }

  /** The state from which a later evaluation with the same messages continues. */
  remember(): ConversationMemory {
    return { messages: endedMessages(this.#options.messages), context: this.#context.state };
  }

  /** The prompt, with a tool for the results that the model cannot see any longer. */
  render(): RenderedPrompt<Output> {
    const { run } = this.#options;
    return this.offered(run.prompt.render({ session: run.options.session }));
  }

  /** The prompt as the last request offered it. */
  offered(rendered: RenderedPrompt<Output>): RenderedPrompt<Output> {
    if (!this.#context.hasHidden || rendered.tool(READ_RESULT) !== undefined) return rendered;
    const { view, state } = this.#context;
    const { maxResultCharacters = view.maxResultCharacters } = state;
    const page = Math.min(view.maxResultCharacters, Math.max(MIN_PAGE, maxResultCharacters));
    const tool = readResultTool(this.#options.messages, rendered, page);
    return withParts(rendered, { tools: [tool] });
  }

  /** Tells the run's observer what the system text is. */
  show(rendered: RenderedPrompt<Output>): void {
    const { watch } = this.#options.run;
    watch.rendered?.(withParts(rendered, { system: this.#context.systemFor(rendered) }));
  }

  async ask(rendered: RenderedPrompt<Output>, turn: number): Promise<ModelTurn> {
    const { run, messages, notes } = this.#options;
    const { options, watch } = run;
    if (this.#inherited !== undefined) watch.contextChanged?.(this.#inherited);
    this.#inherited = undefined;
    const preparing: PrepareOptions = {
      ...{ rendered, messages, session: options.session },
      base: () => requestBase(this.offered(rendered), turnSettings(options.settings, turn)),
      summarise: (asked) => this.#summarise(asked, turn),
      onLimit: (change) => watch.contextChanged?.(change),
      onChange: (change, { before: tokensBefore, after: tokensAfter }) => {
        const summary = watch.contextChanged?.(change) ?? "";
        const compacted = { turn, run: run.run, summary, tokensBefore, tokensAfter };
        notes.note(() => ContextCompacted(compacted));
      },
    };
    let request = await this.#context.prepare(preparing);
    for (;;) {
      this.show(rendered);
      try {
        return await this.#request(request, turn);
      } catch (error) {
        if (!isModelError(error, "CONTEXT_LENGTH")) throw error;
        const shorter = await this.#context.shorten(request, preparing);
        if (shorter === undefined) throw tooLong(request, error);
        request = shorter;
      }
    }
  }

  /** `undefined` if the conversation is too long even for a summary. */
  async #summarise(request: ModelRequest, turn: number): Promise<string | undefined> {
    try {
      const { text } = await this.#request(request, turn, "summary");
      if (text.trim() !== "") return text;
      // The model called a tool instead. Forbidding that from the start would miss the provider's cache.
      const settings = { ...request.settings, toolChoice: "none" } as const;
      return (await this.#request({ ...request, settings }, turn, "summary")).text;
    } catch (error) {
      if (isModelError(error, "CONTEXT_LENGTH")) return undefined;
      throw error;
    }
  }

  async #request(request: ModelRequest, turn: number, purpose?: "summary"): Promise<ModelTurn> {
    const { run, usage, notes, signal, remainingMs } = this.#options;
    const { client, watch, retry } = run;
    const answer = await askModel(watch.client(client, purpose), request, {
      ...{ signal, retry, remainingMs },
      onText: (text) => purpose ?? notes.tell({ type: "text-delta", turn, text }),
      onThought: (text) => notes.tell({ type: "thought-delta", turn, text }),
      onRetry: ({ attempt, delayMs, error, hadText }) => {
        const retried = { turn, attempt, reason: error.code, delayMs };
        notes.note(() => ModelRetried({ ...retried, run: run.run }));
        notes.tell({ type: "retry", ...retried });
        // The retry repeats the text, so restart the turn for listeners.
        if (hadText) notes.tell({ type: "turn-started", turn });
      },
    });
    usage.addTurn(answer.usage, purpose);
    this.#context.counted(request, answer.usage);
    return answer;
  }

  /** Stores long results in files, from which the model can read them in parts. */
  async saveResults(
    answers: readonly ModelMessage[],
    rendered: RenderedPrompt<Output>,
  ): Promise<void> {
    const { adapter, options, onError } = this.#options.run;
    const { session, signal } = options;
    if (rendered.filesystem === undefined || rendered.filesystem.readOnly) return;
    for (const answer of answers) {
      if (!this.#context.view.isLong(answer)) continue;
      const { toolCallId, text } = answer;
      const tool = saveResultTool(rendered);
      const call = { toolCallId: `${toolCallId}.result`, toolName: tool.name };
      const { status } = await runToolCall({
        ...{ rendered: withParts(rendered, { tools: [tool] }), adapter, session, signal, onError },
        call: { ...call, arguments: { tool_call_id: toolCallId, text } },
      });
      if (status === "succeeded") this.#context.save(toolCallId);
    }
  }
}

import type { RenderedPrompt } from "@wink/prompt";
import { runToolCall } from "../call/run-tool-call.js";
import { ContextCompacted, ModelRetried } from "../context/run-events.js";
import { askModel } from "./ask-model.js";
import { READ_RESULT } from "./context-state.js";
import { ContextWindow } from "./context-window.js";
import type { ModelMessage, ModelRequest, ModelTurn } from "./model-client.js";
import type { PromptRunOptions } from "./prompt-run-options.js";
import { requestBase } from "./request-base.js";
import { readResultTool, saveResultTool } from "./result-tools.js";
import type { RunNotes } from "./run-notes.js";
import { withParts } from "./stable-prompt.js";
import { turnSettings } from "./turn-settings.js";
import type { UsageCount } from "./usage-count.js";

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

  constructor(options: TurnRequestsOptions<Output>) {
    this.#options = options;
    const { context, from } = options.run;
    this.#context = new ContextWindow(context, from?.context);
  }

  /** The prompt, with a tool for the results that the model cannot see any longer. */
  render(): RenderedPrompt<Output> {
    const { run } = this.#options;
    return this.offered(run.prompt.render({ session: run.options.session }));
  }

  /** The prompt as the last request offered it. */
  offered(rendered: RenderedPrompt<Output>): RenderedPrompt<Output> {
    if (!this.#context.hasHidden || rendered.tool(READ_RESULT) !== undefined) return rendered;
    return withParts(rendered, { tools: [readResultTool(this.#options.messages, rendered)] });
  }

  /** Tells the run's observer what the system text is. */
  show(rendered: RenderedPrompt<Output>): void {
    const { watch } = this.#options.run;
    watch.rendered?.(withParts(rendered, { system: this.#context.systemFor(rendered) }));
  }

  async ask(rendered: RenderedPrompt<Output>, turn: number): Promise<ModelTurn> {
    const { run, messages, notes } = this.#options;
    const { options, watch } = run;
    const request = await this.#context.prepare({
      ...{ rendered, messages, session: options.session },
      base: () => requestBase(this.offered(rendered), turnSettings(options.settings, turn)),
      summarise: async (asked) => (await this.#request(asked, turn, "summary")).text,
      onChange: (change, { before: tokensBefore, after: tokensAfter }) => {
        const summary = watch.contextChanged?.(change) ?? "";
        const compacted = { turn, run: run.run, summary, tokensBefore, tokensAfter };
        notes.note(() => ContextCompacted(compacted));
      },
    });
    this.show(rendered);
    return await this.#request(request, turn);
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

import type {
  AgentEvent,
  Deadline,
  FinishReason,
  PromptResponse,
  RenderedPrompt,
} from "@wink/prompt";
import { collectFeedback, describeTool } from "@wink/prompt/adapter";
import type { SessionEvent } from "@wink/session";
import { RunError } from "../../error/run-error.js";
import { CallLimit } from "../call/call-limit.js";
import { runToolCall } from "../call/run-tool-call.js";
import type { ToolOutcome } from "../call/tool-outcome.js";
import { reportError } from "../context/report-error.js";
import {
  BudgetExhausted,
  ModelRetried,
  PromptExecuted,
  PromptRendered,
} from "../context/run-events.js";
import { askModel } from "./ask-model.js";
import type { ModelMessage, ModelRequest, ModelTurn } from "./model-client.js";
import type { PromptRunOptions } from "./prompt-run-options.js";
import { readOutput } from "./read-output.js";
import { deadlineOf } from "./run-deadline.js";
import { toolMessage } from "./tool-message.js";
import { turnSettings } from "./turn-settings.js";
import { UsageCount } from "./usage-count.js";

/** One run of a prompt, from the first rendering to the final answer. */
export class PromptRun<Output> {
  readonly #run: PromptRunOptions<Output>;
  readonly #deadline: Deadline | undefined;
  readonly #limit: CallLimit;
  readonly #usage: UsageCount;
  readonly #messages: ModelMessage[] = [];
  #text = "";
  #turn = 0;
  #outputRetries = 0;
  #timeIsOver = false;

  constructor(run: PromptRunOptions<Output>) {
    this.#run = run;
    const { signal, budget } = run.options;
    this.#deadline = deadlineOf(run.options);
    this.#limit = new CallLimit([signal], this.#deadline);
    this.#usage = new UsageCount(budget, run.prices);
  }

  async execute(): Promise<PromptResponse<Output>> {
    let finishReason = "failed";
    try {
      this.#run.options.signal?.throwIfAborted();
      await this.#run.prompt.open();
      const response = await this.#loop();
      finishReason = response.finishReason;
      return response;
    } catch (error) {
      if (this.#run.options.signal?.aborted) finishReason = "aborted";
      throw error;
    } finally {
      this.#limit.close();
      this.#noteEnd(finishReason);
    }
  }

  async #loop(): Promise<PromptResponse<Output>> {
    const maxTurns = this.#run.options.maxTurns ?? this.#run.maxTurns;
    for (;;) {
      const over = this.#over();
      if (over !== undefined) return this.#finishWithout(over);
      if (this.#turn >= maxTurns) return this.#finishWithout("max-turns");
      const response = await this.#run.watch.turn(this.#turn, () => this.#takeTurn());
      if (response !== undefined) return response;
      this.#turn++;
    }
  }

  async #takeTurn(): Promise<PromptResponse<Output> | undefined> {
    const rendered = this.#render();
    this.#tell({ type: "turn-started", turn: this.#turn });
    const turn = await this.#ask(this.#requestOf(rendered));
    if (turn === undefined) return this.#finishWithout(this.#over() ?? this.#exceededLimit);
    const end = await this.#answer(turn, rendered);
    this.#tell({ type: "turn-finished", turn: this.#turn, usage: this.#usage.total });
    return end?.();
  }

  #render(): RenderedPrompt<Output> {
    const { prompt, options } = this.#run;
    const rendered = prompt.render({ session: options.session });
    this.#run.watch.rendered?.(rendered);
    this.#note(() =>
      PromptRendered({
        prompt: `${prompt.ns}/${prompt.key}`,
        turn: this.#turn,
        run: this.#run.run,
        characters: rendered.text.length,
        tools: rendered.tools.length,
      }),
    );
    return rendered;
  }

  #requestOf({ text, tools, output }: RenderedPrompt<Output>): ModelRequest {
    return {
      instructions: text,
      tools: tools.map((tool) => ({
        name: tool.name,
        description: describeTool(tool),
        inputSchema: tool.inputSchema,
      })),
      messages: [...this.#messages],
      outputSchema: output?.jsonSchema ?? null,
      ...turnSettings(this.#run.options.settings, this.#turn),
    };
  }

  /** Asks the model for its next turn. `undefined` if the time ran out. */
  async #ask(request: ModelRequest): Promise<ModelTurn | undefined> {
    const { client, watch, retry, options } = this.#run;
    const turn = this.#turn;
    try {
      const answer = await askModel(watch.client(client), request, {
        signal: this.#limit.signal,
        retry,
        remainingMs: () => this.#deadline?.remainingMs() ?? Number.POSITIVE_INFINITY,
        onText: (text) => this.#tell({ type: "text-delta", turn, text }),
        onThought: (text) => this.#tell({ type: "thought-delta", turn, text }),
        onRetry: ({ attempt, delayMs, error, hadText }) => {
          const retry = { turn, attempt, reason: error.code, delayMs };
          this.#note(() => ModelRetried({ ...retry, run: this.#run.run }));
          this.#tell({ type: "retry", ...retry });
          // The retry repeats the text, so restart the turn for listeners.
          if (hadText) this.#tell({ type: "turn-started", turn });
        },
      });
      this.#usage.addTurn(answer.usage);
      this.#text = answer.text;
      return answer;
    } catch (error) {
      options.signal?.throwIfAborted();
      if (this.#limit.givenUp !== undefined) return undefined;
      throw error;
    }
  }

  /** Processes a turn. Returns how the run ends, or `undefined` if the model must be asked again. */
  async #answer(
    turn: ModelTurn,
    rendered: RenderedPrompt<Output>,
  ): Promise<RunEnd<Output> | undefined> {
    const { text, toolCalls, stopReason, providerData } = turn;
    const message = { role: "assistant", text, toolCalls } as const;
    this.#messages.push(providerData === undefined ? message : { ...message, providerData });
    if (stopReason === "length" || stopReason === "refused")
      return () => this.#finishWithout(stopReason);
    // The provider continues the turn when it gets its own part back.
    if (stopReason === "paused" && toolCalls.length === 0) return undefined;
    if (toolCalls.length === 0) return await this.#readAnswer(text, rendered);
    const over = this.#over();
    if (over !== undefined) return () => this.#finishWithout(over);
    await this.#runCalls(turn, rendered);
    await this.#giveFeedback(rendered);
    return undefined;
  }

  /** Starts all calls concurrently. Each call is queued in the order of the turn. */
  async #runCalls({ toolCalls }: ModelTurn, rendered: RenderedPrompt<Output>): Promise<void> {
    const { adapter, options, watch, limits, onError } = this.#run;
    const { session, budget, signal } = options;
    const deadline = this.#deadline;
    const running = toolCalls.map(async (call) => {
      const { toolCallId, toolName } = call;
      const start = { turn: this.#turn, toolCallId, toolName, input: call.arguments };
      this.#tell({ type: "tool-call-started", ...start });
      const given = { adapter, session, deadline, budget, signal, limits, onError };
      const position = { run: this.#run.run, turn: this.#turn };
      const onAccept = () => this.#usage.addToolCall();
      const run = () => runToolCall({ rendered, call, ...given, ...position, onAccept });
      const outcome = await watch.call(call, rendered.tool(toolName), run);
      this.#tellOutcome(outcome);
      return outcome;
    });
    for (const outcome of await Promise.all(running)) {
      this.#messages.push(toolMessage(outcome, this.#run.images));
      if (outcome.status === "deadline") this.#timeIsOver = true;
    }
    signal?.throwIfAborted();
  }

  #tellOutcome({ status, text: _, ...outcome }: ToolOutcome): void {
    const ended = { ...outcome, denied: status === "denied" };
    this.#tell({ type: "tool-call-finished", turn: this.#turn, ...ended });
  }

  async #giveFeedback(rendered: RenderedPrompt<Output>): Promise<void> {
    const { options, onError } = this.#run;
    const { session, deadline } = options;
    const feedback = await collectFeedback({
      ...{ rendered, session, deadline },
      onError: (error, provider) => reportError(onError, error, `feedback ${provider}`),
    });
    for (const { provider, text } of feedback) {
      this.#messages.push({ role: "user", text });
      this.#tell({ type: "feedback", provider, text });
    }
  }

  async #readAnswer(
    text: string,
    { output }: RenderedPrompt<Output>,
  ): Promise<RunEnd<Output> | undefined> {
    // Without an output, the template's type for it is undefined.
    if (output === undefined) return () => this.#finish("completed", undefined as Output);
    const read = await readOutput(text, output);
    if (read.success) return () => this.#finish("completed", read.value);
    if (this.#outputRetries >= this.#run.maxOutputRetries) {
      const asked = this.#outputRetries + 1;
      const times = asked === 1 ? "once" : `${asked} times`;
      const reason = `${read.reason}. The model was asked ${times}`;
      return () => {
        throw this.#error("OUTPUT_INVALID", "completed", reason);
      };
    }
    this.#outputRetries++;
    this.#messages.push({ role: "user", text: read.problem });
    return undefined;
  }

  #finishWithout(reason: FinishReason): PromptResponse<Output> {
    const { prompt, options } = this.#run;
    if (prompt.render({ session: options.session }).output !== undefined)
      throw this.#error("NO_OUTPUT", reason);
    // As in #readAnswer.
    return this.#finish(reason, undefined as Output);
  }

  #finish(finishReason: FinishReason, output: Output): PromptResponse<Output> {
    const usage = this.#usage.total;
    this.#tell({ type: "finished", finishReason, usage });
    return Object.freeze({ text: this.#text, output, usage, finishReason });
  }

  #error(code: RunError["code"], finishReason: FinishReason, reason?: string): RunError {
    this.#tell({ type: "finished", finishReason, usage: this.#usage.total });
    return new RunError(code, { finishReason, text: this.#text, reason });
  }

  /** Which limit ends the run first. */
  get #exceededLimit(): "deadline" | "budget" {
    return this.#deadline === this.#run.options.deadline ? "deadline" : "budget";
  }

  /** Whether the deadline has passed or the budget is used up. */
  #over(): "deadline" | "budget" | undefined {
    const { signal, deadline, budget } = this.#run.options;
    signal?.throwIfAborted();
    const what = budget?.exhausted;
    if (what !== undefined) {
      this.#note(() => BudgetExhausted({ turn: this.#turn, run: this.#run.run, what }));
      return "budget";
    }
    // A timer may fire a millisecond before the clock reaches the deadline, so a fired timer
    // counts too.
    const ended = this.#timeIsOver || this.#limit.givenUp !== undefined;
    return deadline?.expired || ended ? this.#exceededLimit : undefined;
  }

  #noteEnd(finishReason: string): void {
    const { ns, key } = this.#run.prompt;
    const { turns, toolCalls, inputTokens, outputTokens } = this.#usage.total;
    const spent = { turns, toolCalls, inputTokens, outputTokens };
    this.#note(() =>
      PromptExecuted({ prompt: `${ns}/${key}`, run: this.#run.run, finishReason, ...spent }),
    );
  }

  #note(event: () => SessionEvent): void {
    try {
      this.#run.options.session.dispatch(event());
    } catch (error) {
      reportError(this.#run.onError, error, "session");
    }
  }

  #tell(event: AgentEvent): void {
    try {
      this.#run.options.onEvent?.(Object.freeze(event));
    } catch (error) {
      reportError(this.#run.onError, error, "onEvent");
    }
  }
}

/** Returns the response or throws, and tells listeners that the run is finished. */
type RunEnd<Output> = () => PromptResponse<Output>;

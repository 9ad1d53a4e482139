import type { Deadline, FinishReason, PromptResponse, RenderedPrompt } from "@wink/prompt";
import { isRunError, RunError } from "../../error/run-error.js";
import { CallLimit } from "../call/call-limit.js";
import { runToolCall } from "../call/run-tool-call.js";
import { type CallOrder, TurnOrder } from "../call/turn-order.js";
import { BudgetExhausted, PromptRendered } from "../context/run-events.js";
import { resourceOf } from "../transaction/call-resource.js";
import { answerFacts } from "./answer-facts.js";
import { missingWork } from "./check-completion.js";
import { feedbackFor } from "./feedback-for.js";
import { type AddedMessage, type OpenTurn, offeredTo } from "./loop-state.js";
import type { ModelMessage, ModelToolCall } from "./model-client.js";
import type { PromptRunOptions, RunEnd } from "./prompt-run-options.js";
import { readOutput } from "./read-output.js";
import { deadlineOf } from "./run-deadline.js";
import { notesOf, type RunNotes } from "./run-notes.js";
import { shownMessage, toolMessage } from "./tool-message.js";
import { TurnRequests } from "./turn-requests.js";
import { UsageCount } from "./usage-count.js";

/** One run of a prompt, from the first rendering to the final answer. */
export class PromptRun<Output> {
  readonly #run: PromptRunOptions<Output>;
  readonly #deadline: Deadline | undefined;
  readonly #limit: CallLimit;
  readonly #usage: UsageCount;
  readonly #requests: TurnRequests<Output>;
  readonly #messages: ModelMessage[];
  /** The messages that the loop itself has added in this turn. */
  readonly #added: AddedMessage[] = [];
  #text: string;
  #turn: number;
  #outputRetries: number;
  #completionRetries: number;
  /** The turn of an earlier process that is not over. */
  #open: OpenTurn | undefined;
  #timeIsOver = false;
  // Fields, so that they are called like methods.
  readonly #note: RunNotes["note"];
  readonly #tell: RunNotes["tell"];
  readonly #noteEnd: RunNotes["noteEnd"];

  constructor(run: PromptRunOptions<Output>) {
    this.#run = run;
    const { from } = run;
    const notes = notesOf(run);
    this.#note = notes.note;
    this.#tell = notes.tell;
    this.#noteEnd = notes.noteEnd;
    const { signal, budget } = run.options;
    this.#deadline = deadlineOf(run.options);
    this.#limit = new CallLimit([signal], this.#deadline);
    this.#usage = new UsageCount(budget, run.prices, from?.usage);
    this.#messages = (from?.messages ?? []).map((each) => shownMessage(each, run.images));
    this.#requests = new TurnRequests({
      ...{ run, notes, messages: this.#messages, usage: this.#usage, signal: this.#limit.signal },
      remainingMs: () => this.#deadline?.remainingMs() ?? Number.POSITIVE_INFINITY,
    });
    this.#turn = from?.turn ?? 0;
    this.#outputRetries = from?.outputRetries ?? 0;
    this.#completionRetries = from?.completionRetries ?? 0;
    this.#open = from?.open;
    this.#text = from?.open?.answer.text ?? "";
  }

  async execute(): Promise<PromptResponse<Output>> {
    let finishReason = "failed";
    try {
      this.#run.options.signal?.throwIfAborted();
      await this.#run.prompt.open();
      if (this.#run.from === undefined) this.#messages.push(...(await this.#requests.begin()));
      const response = await this.#loop();
      finishReason = response.finishReason;
      return response;
    } catch (error) {
      if (this.#run.options.signal?.aborted) finishReason = "aborted";
      if (isRunError(error, "PARKED")) finishReason = error.finishReason;
      throw error;
    } finally {
      this.#limit.close();
      const { session } = this.#run.options;
      resourceOf(session).conversation = this.#requests.remember();
      this.#noteEnd(finishReason, this.#usage.total);
    }
  }

  async #loop(): Promise<PromptResponse<Output>> {
    const maxTurns = this.#run.options.maxTurns ?? this.#run.maxTurns;
    for (;;) {
      if (resourceOf(this.#run.options.session).parking?.isParked) throw this.#parked();
      const over = this.#over();
      if (over !== undefined) return this.#finishWithout(over);
      if (this.#turn >= maxTurns) return this.#finishWithout("max-turns");
      const response = await this.#run.watch.turn(this.#turn, () => this.#takeTurn());
      if (response !== undefined) return response;
      this.#turn++;
    }
  }

  async #takeTurn(): Promise<PromptResponse<Output> | undefined> {
    const open = this.#open;
    this.#open = undefined;
    const rendered = open === undefined ? this.#render() : offeredTo(open, this.#requests.render());
    this.#tell({ type: "turn-started", turn: this.#turn });
    const asking = open ? undefined : this.#requests.ask(rendered, this.#turn);
    const asked = asking && (await this.#untilOver(asking));
    this.#text = asked?.text ?? this.#text;
    const turn = open?.answer ?? asked;
    if (turn === undefined) return this.#finishWithout(this.#over() ?? this.#exceededLimit);
    const end = await this.#answer(turn, this.#requests.offered(rendered), open);
    if (this.#added.length > 0) this.#run.watch.added?.(this.#added.splice(0));
    const facts = asked === undefined ? {} : answerFacts(asked);
    this.#tell({ type: "turn-finished", turn: this.#turn, usage: this.#usage.total, ...facts });
    return end?.();
  }

  #render(): RenderedPrompt<Output> {
    const rendered = this.#requests.render();
    this.#requests.show(rendered);
    const { run, prompt } = this.#run;
    const { length: characters } = rendered.text;
    const shown = { prompt: `${prompt.ns}/${prompt.key}`, characters };
    const { length: tools } = rendered.tools;
    this.#note(() => PromptRendered({ ...shown, turn: this.#turn, run, tools }));
    return rendered;
  }

  /** `undefined` if the time ran out. */
  async #untilOver<T>(work: Promise<T>): Promise<T | undefined> {
    return await work.catch((error: unknown) => {
      this.#run.options.signal?.throwIfAborted();
      if (this.#limit.cancelled === undefined) throw error;
      return undefined;
    });
  }

  /** Processes a turn. Returns how the run ends, or `undefined` if the model must be asked again. */
  async #answer(
    turn: OpenTurn["answer"],
    rendered: RenderedPrompt<Output>,
    open: OpenTurn | undefined,
  ): Promise<RunEnd<Output> | undefined> {
    const { text, toolCalls, stopReason, providerData } = turn;
    const message = { role: "assistant", text, toolCalls } as const;
    this.#messages.push(providerData === undefined ? message : { ...message, providerData });
    if (stopReason === "length" || stopReason === "refused")
      return () => this.#finishWithout(stopReason);
    // The provider continues the turn when it gets its own part back.
    if (stopReason === "paused" && toolCalls.length === 0) return undefined;
    if (toolCalls.length === 0) return await this.#complete(text, rendered);
    const over = this.#over();
    if (over !== undefined) return () => this.#finishWithout(over);
    await this.#runCalls(turn, rendered, open);
    await this.#giveFeedback(rendered, open);
    return undefined;
  }

  /** Starts all calls concurrently. Each call is queued in the order of the turn. */
  async #runCalls(
    { toolCalls }: OpenTurn["answer"],
    rendered: RenderedPrompt<Output>,
    open: OpenTurn | undefined,
  ): Promise<void> {
    const order = new TurnOrder(toolCalls.map(({ toolName }) => rendered.tool(toolName)));
    const running = toolCalls.map(
      async (call, at) =>
        open?.answers.get(call.toolCallId) ??
        toolMessage(await this.#call(call, rendered, order.at(at))),
    );
    const answers = await Promise.all(running);
    this.#messages.push(...answers.map((answer) => shownMessage(answer, this.#run.images)));
    this.#run.options.signal?.throwIfAborted();
    await this.#requests.saveResults(answers, rendered);
    if (order.isParked) throw this.#parked();
  }

  async #call(call: ModelToolCall, rendered: RenderedPrompt<Output>, order?: CallOrder) {
    const { adapter, options, watch, limits, onError } = this.#run;
    const { session, budget, signal, onApproval } = options;
    const deadline = this.#deadline;
    const { toolCallId, toolName } = call;
    const start = { turn: this.#turn, toolCallId, toolName, input: call.arguments };
    this.#tell({ type: "tool-call-started", ...start });
    const given = { adapter, session, deadline, budget, signal, limits, onError, onApproval };
    const position = { run: this.#run.run, turn: this.#turn, order };
    const onAccept = () => this.#usage.addToolCall();
    const run = () => runToolCall({ rendered, call, ...given, ...position, onAccept });
    const outcome = await watch.call(call, rendered.tool(toolName), run);
    const { status, text: _, ...ended } = outcome;
    const denied = status === "denied";
    this.#tell({ type: "tool-call-finished", turn: this.#turn, ...ended, denied });
    if (outcome.status === "deadline") this.#timeIsOver = true;
    return outcome;
  }

  async #giveFeedback(rendered: RenderedPrompt<Output>, open: OpenTurn | undefined): Promise<void> {
    for (const { provider, text } of await feedbackFor(this.#run, rendered, open?.sequence)) {
      this.#add("feedback", text);
      this.#tell({ type: "feedback", provider, text });
    }
  }

  /** Reads the final answer, or sends missing work back to the model. */
  async #complete(
    text: string,
    rendered: RenderedPrompt<Output>,
  ): Promise<RunEnd<Output> | undefined> {
    const { options, onError } = this.#run;
    let calls = 0;
    const checking = missingWork({
      ...{ rendered, session: options.session, text, onError, signal: this.#limit.signal },
      callTool: async (toolName, input) => {
        const toolCallId = `completion-${this.#turn}-${++calls}`;
        const call = { toolCallId, toolName, arguments: JSON.stringify(input) };
        return (await this.#call(call, rendered)).result;
      },
    });
    const missing = await this.#untilOver(checking);
    if (missing === undefined) return () => this.#finishWithout(this.#exceededLimit);
    if (missing === "") return await this.#readAnswer(text, rendered);
    const { maxAttempts = 3 } = rendered.completion ?? {};
    if (this.#completionRetries >= maxAttempts) return () => this.#finishWithout("incomplete");
    this.#completionRetries++;
    this.#add("completion", missing);
    return undefined;
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
    this.#add("output", read.problem);
    return undefined;
  }

  /** Adds a message to the conversation that neither the model nor a tool wrote. */
  #add(reason: AddedMessage["reason"], text: string): void {
    const message = { role: "user", text } as const;
    this.#messages.push(message);
    this.#added.push({ reason, message });
  }

  #finishWithout(reason: FinishReason): PromptResponse<Output> {
    if (this.#requests.render().output !== undefined) throw this.#error("NO_OUTPUT", reason);
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

  #parked(): RunError {
    return this.#error("PARKED", "parked");
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
    const ended = this.#timeIsOver || this.#limit.cancelled !== undefined;
    return deadline?.expired || ended ? this.#exceededLimit : undefined;
  }
}

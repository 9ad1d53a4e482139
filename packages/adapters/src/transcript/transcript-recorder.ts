import type { PromptResponse, RenderedPrompt } from "@wink/prompt";
import type { Session } from "@wink/session";
import { isModelError } from "../error/model-error.js";
import { isRunError } from "../error/run-error.js";
import { describeError } from "../runtime/context/report-error.js";
import { answerFacts } from "../runtime/loop/answer-facts.js";
import type { ContextChange } from "../runtime/loop/context-state.js";
import type { AddedMessage } from "../runtime/loop/loop-state.js";
import type {
  AskOptions,
  ModelClient,
  ModelMessage,
  ModelRequest,
  ModelTool,
  ModelTurn,
} from "../runtime/loop/model-client.js";
import { costOf } from "../runtime/loop/model-prices.js";
import { promptHash, unrenderedHash } from "../runtime/loop/prompt-hash.js";
import type { RunTelemetry, RunWatch, WatchedRun } from "../runtime/loop/run-telemetry.js";
import {
  type ApprovalNote,
  type CallAnswer,
  resourceOf,
} from "../runtime/transaction/call-resource.js";
import { limitsOf, recordedSections, sharedLength } from "./transcript-facts.js";
import type { ModelAnswered, PartId, RunEnded, RunLimits } from "./transcript-record.js";
import type { TranscriptWriter } from "./transcript-writer.js";

/** Receives the facts of the first evaluation, which are not known when a run is created. */
export type OnRunStarted = (
  run: WatchedRun & { readonly hash: string; readonly limits: RunLimits },
) => void;

/** Records the runs of one session in a transcript. */
export class TranscriptRecorder implements RunTelemetry {
  readonly #writer: TranscriptWriter;
  readonly #onStart: OnRunStarted | undefined;

  constructor(writer: TranscriptWriter, onStart?: OnRunStarted) {
    this.#writer = writer;
    this.#onStart = onStart;
  }

  async run<Output>(
    run: WatchedRun,
    work: (watch: RunWatch) => Promise<PromptResponse<Output>>,
  ): Promise<PromptResponse<Output>> {
    const transcriber = new RunTranscriber(this.#writer, run, this.#onStart);
    const resource = resourceOf(run.session);
    const before = resource.transcript;
    if (run.from !== undefined) transcriber.resume();
    resource.transcript = transcriber;
    try {
      const response = await work(transcriber);
      transcriber.end(
        { finishReason: response.finishReason, usage: response.usage },
        response.output,
      );
      return response;
    } catch (error) {
      const { name, message } = describeError(error);
      const failed = run.signal?.aborted === true ? "aborted" : "failed";
      if (isRunError(error, "PARKED")) transcriber.end({ finishReason: "parked" });
      else transcriber.end({ finishReason: failed, error: `${name}: ${message}` });
      throw error;
    } finally {
      resource.transcript = before;
    }
  }
}

/** Writes the transcript of one evaluation. */
class RunTranscriber implements RunWatch {
  readonly #writer: TranscriptWriter;
  readonly #run: WatchedRun;
  readonly #session: Session;
  readonly #onStart: OnRunStarted | undefined;
  #isStarted: boolean;
  /** The messages before the model's first turn. */
  #initial: readonly ModelMessage[] = [];
  #turn = 0;
  #attempt = 0;
  #rendered: RenderedPrompt | undefined;
  /** The messages of the last request. */
  #messages: readonly ModelMessage[];
  readonly #tools = new Map<string, { readonly tool: ModelTool; readonly id: PartId }>();

  constructor(writer: TranscriptWriter, run: WatchedRun, onStart: OnRunStarted | undefined) {
    this.#writer = writer;
    this.#run = run;
    this.#session = run.session;
    this.#onStart = onStart;
    this.#isStarted = run.from !== undefined;
    this.#messages = run.from?.asked.messages ?? [];
  }

  /** Called when the prompt is rendered first, because its hash is not known before. */
  #start(hash: string): void {
    if (this.#isStarted) return;
    this.#isStarted = true;
    const { prompt, adapter, context } = this.#run;
    const name = `${prompt.ns}/${prompt.key}`;
    const limits = limitsOf(this.#run);
    this.#onStart?.({ ...this.#run, hash, limits });
    const about = { prompt: name, hash, adapter, limits, ...(context && { context }) };
    const messages = this.#initial.map((message) => this.#writer.part(message));
    const given = messages.length === 0 ? {} : { messages };
    this.#writer.write({ kind: "run", ...this.#now(), ...about, ...given });
  }

  began(messages: readonly ModelMessage[]): void {
    this.#initial = messages;
  }

  resume(): void {
    this.#writer.write({ kind: "resume", ...this.#now() });
  }

  end(ended: Pick<RunEnded, "finishReason" | "usage" | "error">, output?: unknown): void {
    if (!this.#isStarted) this.#start(unrenderedHash(this.#run.prompt));
    const kept = output === undefined ? {} : { output: this.#writer.part(output) };
    this.#writer.write({ kind: "end", ...this.#now(), ...ended, ...kept });
  }

  turn<T>(turn: number, work: () => Promise<T>): Promise<T> {
    this.#turn = turn;
    const { from } = this.#run;
    this.#attempt = from?.turn === turn ? from.asked.attempts : 0;
    return work();
  }

  rendered(rendered: RenderedPrompt): void {
    this.#rendered = rendered;
    // The descriptor hashes the whole prompt, so it is computed once.
    if (!this.#isStarted) this.#start(promptHash(rendered));
  }

  added(messages: readonly AddedMessage[]): void {
    const parts = messages.map(({ reason, message }) => ({
      reason,
      message: this.#writer.part(message),
    }));
    this.#writer.write({ kind: "added", ...this.#inTurn(), messages: parts });
  }

  client(client: ModelClient, purpose?: "summary"): ModelClient {
    return {
      name: client.name,
      ask: (request, options) => this.#ask(client, request, options, purpose),
    };
  }

  contextChanged(change: ContextChange): string | undefined {
    const { summary, isSummarised, ...decisions } = change;
    const writer = this.#writer;
    const written = summary && {
      ...{ before: summary.before, message: writer.part(summary.message), isNew: isSummarised },
      pinned: writer.part(summary.pinned),
    };
    writer.write({
      ...{ kind: "context", ...this.#inTurn(), ...decisions },
      ...(written !== undefined && { summary: written }),
    });
    return isSummarised ? written?.message : undefined;
  }

  async call<T>(
    call: { readonly toolCallId: string },
    _: unknown,
    work: () => Promise<T>,
  ): Promise<T> {
    this.#writer.write({ kind: "call", ...this.#inTurn(), call: call.toolCallId });
    return await work();
  }

  /** Called before the call is committed, so that a committed call always has its answer. */
  answered(answer: CallAnswer): void {
    const { message, status, rolledBack, interrupted, errors, facts = {} } = answer;
    this.#writer.write({
      kind: "outcome",
      ...this.#inTurn(),
      call: message.toolCallId,
      status,
      message: this.#writer.part(message),
      ...(rolledBack && { rolledBack }),
      ...(interrupted && { interrupted }),
      ...(Object.keys(facts).length > 0 && { facts: this.#writer.part(facts) }),
      ...(errors.length > 0 && { errors: this.#writer.part(errors) }),
    });
  }

  approval({ approval, toolCallId, what, question, remembered, reason }: ApprovalNote): void {
    this.#writer.write({
      ...{ kind: "approval", ...this.#inTurn(), approval, call: toolCallId, what },
      ...(question !== undefined && { question: this.#writer.part(question) }),
      ...(remembered && { remembered }),
      ...(reason !== undefined && { reason }),
    });
  }

  async #ask(
    client: ModelClient,
    request: ModelRequest,
    options: AskOptions,
    purpose: "summary" | undefined,
  ): Promise<ModelTurn> {
    const attempt = ++this.#attempt;
    // Otherwise a killed process could lose several answers.
    await resourceOf(this.#session).settled?.();
    this.#writeAsk(request, attempt, purpose);
    let firstTextAt: number | undefined;
    const onText = (text: string) => {
      firstTextAt ??= Date.now();
      options.onText(text);
    };
    try {
      const turn = await client.ask(request, { ...options, onText });
      this.#writeTurn(turn, { attempt, firstTextAt, purpose });
      return turn;
    } catch (error) {
      this.#writeFailure(error, attempt);
      throw error;
    }
  }

  #writeAsk(request: ModelRequest, attempt: number, purpose: "summary" | undefined): void {
    const writer = this.#writer;
    const { messages, outputSchema, settings } = request;
    const keep = sharedLength(this.#messages, messages);
    const add = messages.slice(keep).map((message) => writer.part(message));
    this.#messages = messages;
    writer.write({
      kind: "ask",
      ...this.#inTurn(),
      ...(attempt > 1 && { attempt }),
      ...(purpose !== undefined && { purpose }),
      prompt: writer.part(recordedSections(writer, request.instructions, this.#rendered)),
      tools: writer.part(request.tools.map((tool) => this.#tool(tool))),
      ...(outputSchema !== null && { output: writer.part(outputSchema) }),
      ...(settings !== undefined && { settings: writer.part(settings) }),
      keep,
      add,
    });
  }

  #writeTurn(
    turn: ModelTurn,
    asked: Pick<ModelAnswered, "firstTextAt" | "purpose"> & { readonly attempt: number },
  ): void {
    const { attempt, firstTextAt, purpose } = asked;
    const { text, toolCalls, stopReason, providerData, thoughts } = turn;
    const facts = { ...answerFacts(turn).answer, ...(thoughts !== undefined && { thoughts }) };
    const costUsd = costOf(turn.usage, this.#run.prices);
    // As the loop adds it to the conversation, so that it is one part.
    const message = { role: "assistant", text, toolCalls, ...(providerData && { providerData }) };
    this.#writer.write({
      kind: "turn",
      ...this.#inTurn(),
      ...(attempt > 1 && { attempt }),
      ...(purpose !== undefined && { purpose }),
      message: this.#writer.part(message),
      stopReason,
      usage: costUsd === undefined ? turn.usage : { ...turn.usage, costUsd },
      ...(Object.keys(facts).length > 0 && { facts: this.#writer.part(facts) }),
      ...(firstTextAt !== undefined && { firstTextAt }),
    });
  }

  #writeFailure(error: unknown, attempt: number): void {
    const failed = { kind: "failed", ...this.#inTurn(), ...(attempt > 1 && { attempt }) } as const;
    if (isModelError(error)) {
      const { code, reason, retryAfterMs } = error;
      const retry = retryAfterMs === undefined ? {} : { retryAfterMs };
      this.#writer.write({ ...failed, code, reason, ...retry });
    } else {
      const { name, message } = describeError(error);
      this.#writer.write({ ...failed, code: name, reason: message });
    }
  }

  /** Tools rarely change between turns, and encoding their schemas is the largest part of a record. */
  #tool(tool: ModelTool): PartId {
    const known = this.#tools.get(tool.name);
    const isSame =
      known?.tool.description === tool.description && known.tool.inputSchema === tool.inputSchema;
    const id = isSame ? known.id : this.#writer.part(tool);
    this.#tools.set(tool.name, { tool, id });
    return id;
  }

  #now() {
    return { run: this.#run.run, sequence: this.#session.events.lastSequence, at: Date.now() };
  }

  #inTurn() {
    return { ...this.#now(), turn: this.#turn };
  }
}

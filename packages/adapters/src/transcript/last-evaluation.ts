import { AdapterError } from "../error/adapter-error.js";
import type { LoopState, OpenTurn } from "../runtime/loop/loop-state.js";
import type { ModelMessage, ModelTool, ModelToolCall } from "../runtime/loop/model-client.js";
import { UsageCount } from "../runtime/loop/usage-count.js";
import { didCallRun } from "./did-call-run.js";
import type { TranscriptRecords } from "./read-transcript.js";
import { restoreContext } from "./restore-context.js";
import type {
  CallAnswered,
  MessagesAdded,
  ModelAnswered,
  ModelAsked,
  PartId,
  RunEnded,
  RunStarted,
  TranscriptEntry,
} from "./transcript-record.js";

/** What a transcript has of one turn. */
export interface RecordedTurn {
  readonly turn: number;
  asks: number;
  lastAsk: ModelAsked | undefined;
  answer: ModelAnswered | undefined;
  /** The last outcome of each call. */
  readonly outcomes: Map<string, CallAnswered>;
  added: MessagesAdded | undefined;
}

/** The last evaluation of a transcript. */
export class LastEvaluation {
  readonly started: RunStarted;
  readonly turns: readonly RecordedTurn[];
  /** How it ended in its last process. `undefined` if that process was killed. */
  readonly ended: RunEnded | undefined;
  readonly #records: TranscriptRecords;
  /** Each part as one object, because the recorder compares messages by identity. */
  readonly #messages = new Map<PartId, ModelMessage>();
  readonly #entries: readonly TranscriptEntry[];

  private constructor(records: TranscriptRecords, started: RunStarted) {
    this.#records = records;
    this.started = started;
    this.#entries = records.records.filter(({ run }) => run === started.run);
    this.turns = turnsOf(this.#entries);
    const last = this.#entries.at(-1);
    this.ended = last?.kind === "end" ? last : undefined;
  }

  /** `undefined` if the transcript has no evaluation. */
  static of(records: TranscriptRecords): LastEvaluation | undefined {
    const started = records.records.findLast((record) => record.kind === "run");
    return started && new LastEvaluation(records, started);
  }

  /** How long processes have worked on it: the time between its records, without the time between processes. */
  get workedMs(): number {
    let [workedMs, last] = [0, this.started.at];
    for (const { at, kind } of this.#entries) {
      if (kind !== "resume" && kind !== "answer") workedMs += Math.max(0, at - last);
      last = at;
    }
    return workedMs;
  }

  message(id: PartId): ModelMessage {
    const known = this.#messages.get(id);
    if (known !== undefined) return known;
    // The recorder wrote this part.
    const message = this.#records.part(id) as ModelMessage;
    this.#messages.set(id, message);
    return message;
  }

  /** The calls of a turn, as the model made them. */
  callsOf({ answer }: RecordedTurn): readonly ModelToolCall[] {
    const message = answer && this.message(answer.message);
    return message?.role === "assistant" ? message.toolCalls : [];
  }

  get state(): LoopState {
    const messages = (this.started.messages ?? []).map((id) => this.message(id));
    const answered = this.turns.filter(({ answer }) => answer !== undefined);
    const last = this.turns.at(-1);
    const open = last?.answer !== undefined && last.added === undefined ? last : undefined;
    for (const each of answered) if (each !== open) messages.push(...this.#messagesOf(each));
    const turn = open?.turn ?? (answered.at(-1)?.turn ?? -1) + 1;
    return {
      ...{ run: this.started.run, messages, turn, usage: this.#usage() },
      outputRetries: countAdded(answered, "output"),
      completionRetries: countAdded(answered, "completion"),
      open: open && this.#openTurn(open),
      context: restoreContext(this.#records, this.started.run),
      asked: {
        messages: this.#lastRequest(),
        attempts: last?.turn === turn && open === undefined ? last.asks : 0,
      },
    };
  }

  #messagesOf(turn: RecordedTurn): readonly ModelMessage[] {
    const answer = turn.answer && this.message(turn.answer.message);
    const outcomes = this.callsOf(turn).map(({ toolCallId }) => {
      const outcome = turn.outcomes.get(toolCallId);
      if (outcome !== undefined) return this.message(outcome.message);
      const subject = `transcript, turn ${turn.turn}`;
      const reason = `the call ${toolCallId} has no answer`;
      throw new AdapterError("TRANSCRIPT_INVALID", { subject, reason });
    });
    const added = turn.added?.messages.map(({ message }) => this.message(message)) ?? [];
    return answer === undefined ? [] : [answer, ...outcomes, ...added];
  }

  #openTurn({ answer, outcomes, lastAsk }: RecordedTurn): OpenTurn | undefined {
    const message = answer && this.message(answer.message);
    if (message?.role !== "assistant") return undefined;
    const { text, toolCalls, providerData } = message;
    const { stopReason, sequence } = answer as ModelAnswered;
    const all = [...outcomes.values()];
    const ended = all.filter(({ interrupted }) => interrupted !== "again");
    const stopped = all.filter(({ interrupted }) => interrupted === "again");
    const messagesOf = (calls: readonly CallAnswered[]) =>
      new Map(calls.map((each) => [each.call, this.message(each.message)]));
    // The recorder wrote these parts.
    const ids = (lastAsk ? this.#records.part(lastAsk.tools) : []) as readonly PartId[];
    return {
      answer: {
        ...{ text, toolCalls, stopReason },
        ...(providerData !== undefined && { providerData }),
      },
      ...{ answers: messagesOf(ended), stopped: messagesOf(stopped) },
      tools: new Set(ids.map((id) => (this.#records.part(id) as ModelTool).name)),
      sequence: Math.max(sequence, ...ended.map((each) => each.sequence)),
    };
  }

  #lastRequest(): readonly ModelMessage[] {
    let ids: PartId[] = [];
    for (const record of this.#entries)
      if (record.kind === "ask") ids = [...ids.slice(0, record.keep), ...record.add];
    return ids.map((id) => this.message(id));
  }

  #usage(): LoopState["usage"] {
    const count = new UsageCount(undefined, undefined);
    for (const record of this.#entries)
      if (record.kind === "turn") count.addTurn(record.usage, record.purpose);
    // The loop itself makes calls too, for example to save a long result. They do not count.
    for (const turn of this.turns)
      for (const { toolCallId } of this.callsOf(turn)) {
        const outcome = turn.outcomes.get(toolCallId);
        if (outcome !== undefined && didCallRun(outcome)) count.addToolCall();
      }
    return count.total;
  }
}

function countAdded(turns: readonly RecordedTurn[], why: string): number {
  return turns.flatMap(({ added }) => added?.messages ?? []).filter(({ reason }) => reason === why)
    .length;
}

function turnsOf(entries: readonly TranscriptEntry[]): readonly RecordedTurn[] {
  const turns = new Map<number, RecordedTurn>();
  for (const record of entries) {
    if (!("turn" in record)) continue;
    const { turn } = record;
    const found = turns.get(turn) ?? {
      ...{ turn, asks: 0, lastAsk: undefined, answer: undefined, added: undefined },
      outcomes: new Map<string, CallAnswered>(),
    };
    turns.set(turn, found);
    if (record.kind === "ask") {
      found.asks++;
      found.lastAsk = record;
    }
    if (record.kind === "turn" && record.purpose === undefined) found.answer = record;
    if (record.kind === "outcome") found.outcomes.set(record.call, record);
    if (record.kind === "added") found.added = record;
  }
  return [...turns.values()].sort((a, b) => a.turn - b.turn);
}

import { type EndedToolCall, EndToolCall, StartToolCall } from "@wink/prompt/adapter";
import type { RecordedEvent } from "@wink/session";
import type {
  CallAnswered,
  ModelAnswered,
  ModelAsked,
  ModelFailed,
  TranscriptEntry,
} from "../transcript/transcript-record.js";

/** One turn of the model: its requests, of which the last one was answered, and its tool calls. */
export interface RunTurn {
  readonly run: number;
  readonly turn: number;
  /** The first event after which the turn started. */
  readonly sequence: number;
  readonly asks: readonly ModelAsked[];
  readonly failures: readonly ModelFailed[];
  readonly answer: ModelAnswered | undefined;
  /** The ids of its tool calls. */
  readonly calls: readonly string[];
}

/** One tool call. */
export interface RunCall {
  readonly toolCallId: string;
  readonly tool: string;
  /** The numbers of its start event and, if it has ended, of its end event. */
  readonly start: number;
  readonly end: number | undefined;
  readonly ended: EndedToolCall | undefined;
  /** What the transcript has: status, the message for the model, and what was thrown. */
  readonly answer: CallAnswered | undefined;
}

type Growing<T> = {
  -readonly [Key in keyof T]: T[Key] extends readonly (infer Item)[] ? Item[] : T[Key];
};

/** The turns and calls of a run, derived from its records. */
export class TurnList {
  readonly turns: readonly RunTurn[];
  readonly calls: readonly RunCall[];

  constructor(records: readonly TranscriptEntry[], events: readonly RecordedEvent[]) {
    this.turns = turnsOf(records);
    this.calls = callsOf(records, events);
  }
}

function turnsOf(records: readonly TranscriptEntry[]): readonly RunTurn[] {
  const turns = new Map<string, Growing<RunTurn>>();
  for (const record of records) {
    if (!("turn" in record)) continue;
    const { run, turn, sequence } = record;
    const key = `${run}/${turn}`;
    const found = turns.get(key) ?? {
      ...{ run, turn, sequence, answer: undefined },
      ...{ asks: [], failures: [], calls: [] },
    };
    turns.set(key, found);
    if (record.kind === "ask") found.asks.push(record);
    if (record.kind === "failed") found.failures.push(record);
    if (record.kind === "turn") found.answer = record;
    if (record.kind === "call") found.calls.push(record.call);
  }
  return [...turns.values()];
}

function callsOf(
  records: readonly TranscriptEntry[],
  events: readonly RecordedEvent[],
): readonly RunCall[] {
  // A model may use an id again in a later turn, so an answer belongs to the last call that started before it.
  const calls: Growing<RunCall>[] = [];
  const last = new Map<string, Growing<RunCall>[]>();
  for (const event of events)
    if (StartToolCall.is(event)) {
      const { toolCallId, tool } = event.payload;
      const call = { toolCallId, tool, start: event.sequence, end: undefined };
      const made: Growing<RunCall> = { ...call, ended: undefined, answer: undefined };
      calls.push(made);
      last.set(toolCallId, [...(last.get(toolCallId) ?? []), made]);
    } else if (EndToolCall.is(event)) {
      const open = last.get(event.payload.toolCallId)?.at(-1);
      if (open === undefined || open.end !== undefined) continue;
      open.end = event.sequence;
      open.ended = event.payload as Growing<EndedToolCall>;
    }
  for (const record of records) {
    if (record.kind !== "outcome") continue;
    const of = last.get(record.call)?.findLast(({ start }) => start <= record.sequence);
    if (of !== undefined) of.answer = record;
  }
  return calls;
}

import type {
  CallAnswered,
  MessagesAdded,
  ModelAnswered,
  ModelAsked,
  TranscriptEntry,
} from "@wink/adapters/run";
import { isAside } from "./build-turns.js";
import { fieldsOf, listOf, textOf } from "./run-facts.js";
import type { RunOverview } from "./run-overview.js";
import type { MessageView } from "./run-views.js";

/** The requests and answers of a run, found by turn and by event. */
export class Conversation {
  readonly #asks: readonly ModelAsked[];
  readonly #answers = new Map<string, ModelAnswered>();
  readonly #outcomes = new Map<string, CallAnswered[]>();
  readonly #added = new Map<string, MessagesAdded>();
  readonly #turns: ReadonlyMap<string, number>;
  /** The turn that a message was made in. */
  readonly #madeIn = new Map<string, number>();

  constructor(transcript: readonly TranscriptEntry[], { turns }: RunOverview) {
    const own = transcript.filter((record) => !isAside(record));
    this.#asks = own.filter((record): record is ModelAsked => record.kind === "ask");
    this.#turns = new Map(turns.map(({ run, turn, index }) => [`${run}/${turn}`, index]));
    for (const record of own) {
      if (record.kind === "added") this.#added.set(keyOf(record), record);
      if (record.kind === "turn" || record.kind === "outcome")
        this.#madeIn.set(record.message, this.#turns.get(keyOf(record)) ?? 0);
      if (record.kind === "turn") this.#answers.set(keyOf(record), record);
      if (record.kind !== "outcome") continue;
      const list = this.#outcomes.get(keyOf(record));
      if (list === undefined) this.#outcomes.set(keyOf(record), [record]);
      else list.push(record);
    }
  }

  /** The last request of a turn: retries have the same messages. */
  askOf(turn: { readonly run: number; readonly turn: number }): ModelAsked | undefined {
    return this.#asks.findLast((ask) => ask.run === turn.run && ask.turn === turn.turn);
  }

  answerOf(turn: { readonly run: number; readonly turn: number }): ModelAnswered | undefined {
    return this.#answers.get(keyOf(turn));
  }

  /** How a call of a turn ended. The last record counts. */
  outcomeOf(
    turn: { readonly run: number; readonly turn: number },
    toolCallId: string,
  ): CallAnswered | undefined {
    return this.#outcomes.get(keyOf(turn))?.findLast(({ call }) => call === toolCallId);
  }

  /** The parts of the messages of a request, each with the position of the turn that added it. */
  messagesOf(ask: ModelAsked): readonly MessagePart[] {
    const parts: MessagePart[] = [];
    for (const each of this.#asks) {
      if (each.run !== ask.run) continue;
      parts.length = Math.min(parts.length, each.keep);
      const turn = this.#turns.get(keyOf(each)) ?? null;
      for (const id of each.add) parts.push({ id, turn: this.#madeIn.get(id) ?? turn });
      if (each === ask) break;
    }
    return parts;
  }

  /** The conversation after an event: the last request, the answer to it, and the answers of tools. */
  messagesAt(sequence: number): readonly MessagePart[] {
    const ask = this.#asks.findLast((each) => each.sequence <= sequence);
    if (ask === undefined) return [];
    const turn = this.#turns.get(keyOf(ask)) ?? null;
    const answer = this.#answers.get(keyOf(ask));
    const outcomes = this.#outcomes.get(keyOf(ask)) ?? [];
    const added = this.#added.get(keyOf(ask));
    const isPast = (record: TranscriptEntry | undefined) =>
      record !== undefined && record.sequence <= sequence;
    return [
      ...this.messagesOf(ask),
      ...[answer, ...outcomes].flatMap((record) =>
        record !== undefined && isPast(record) ? [{ id: record.message, turn }] : [],
      ),
      ...(isPast(added) ? (added?.messages ?? []).map(({ message: id }) => ({ id, turn })) : []),
    ];
  }
}

export interface MessagePart {
  readonly id: string;
  readonly turn: number | null;
}

function keyOf({ run, turn }: { readonly run: number; readonly turn: number }): string {
  return `${run}/${turn}`;
}

const MAX_MESSAGE_CHARACTERS = 64 * 1024;

/** A message for people. */
export function viewMessage(value: unknown, { id, turn }: MessagePart): MessageView {
  const { role, text, toolCalls, toolCallId, toolName, success, ...other } = fieldsOf(value);
  const shown = textOf(text) ?? "";
  return {
    ...{ id, turn, role: role === "assistant" || role === "tool" ? role : "user", other },
    text: shown.slice(0, MAX_MESSAGE_CHARACTERS),
    isCut: shown.length > MAX_MESSAGE_CHARACTERS,
    toolCalls: listOf(toolCalls).map((call) => {
      const { toolCallId: callId, toolName: name, arguments: input } = fieldsOf(call);
      return { id: String(callId), name: String(name), input: parseInput(input) };
    }),
    toolCallId: textOf(toolCallId),
    toolName: textOf(toolName),
    success: typeof success === "boolean" ? success : null,
  };
}

/** The input of a call: the model's JSON, or its text if it is not JSON. */
export function parseInput(input: unknown): unknown {
  if (typeof input !== "string") return input;
  try {
    return JSON.parse(input);
  } catch {
    return input;
  }
}

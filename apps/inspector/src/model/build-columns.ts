import type { RecordedEvent } from "@wink/session";
import type { FoundTurn } from "./build-turns.js";
import { fieldsOf, numberOf, textOf } from "./run-facts.js";
import { type CallRow, EVENT_FLAGS, type EventColumns } from "./run-overview.js";

const CHANGES: ReadonlySet<string> = new Set([
  ...["files.write", "files.edit", "files.delete", "files.move", "files.copy", "files.change"],
]);
const FAILURES: ReadonlySet<string> = new Set(["run.retry-model", "run.exhaust-budget"]);
const MINOR: ReadonlySet<string> = new Set([
  "wink.seed-slice",
  "run.keep-state",
  "run.render-prompt",
]);

/** The columns of all events: what the list needs to know about each of 100,000 events. */
export function buildColumns(
  events: readonly RecordedEvent[],
  turns: readonly FoundTurn[],
  calls: readonly CallRow[],
): EventColumns {
  const owners = new Owners(turns, calls);
  const types = new Map<string, number>();
  const epoch = events[0]?.timestampMs ?? 0;
  const columns = {
    from: events[0]?.sequence ?? 1,
    ...{ type: [] as number[], call: [] as number[], turn: [] as number[] },
    ...{ flags: [] as number[], time: [] as number[] },
  };
  for (const event of events) {
    const { type, timestampMs } = event;
    const known = types.get(type) ?? types.size;
    types.set(type, known);
    const { call, turn } = owners.of(event);
    columns.type.push(known);
    columns.call.push(call);
    columns.turn.push(turn);
    columns.flags.push(flagsOf(event, calls[call]));
    columns.time.push(Math.round(timestampMs - epoch));
  }
  return { ...columns, types: [...types.keys()] };
}

function flagsOf({ type, payload, rolledBack }: RecordedEvent, call: CallRow | undefined): number {
  const { failed, undone, changing, minor } = EVENT_FLAGS;
  const isEnd = type === "run.end-tool-call";
  const isFailure =
    call?.isFailed === true ||
    FAILURES.has(type) ||
    (type === "run.execute-prompt" && fieldsOf(payload)["finishReason"] !== "completed");
  const isUndone = rolledBack !== undefined || (isEnd && call?.undone != null);
  // The end of a call has the same information as its start.
  const isMinor = MINOR.has(type) || (type === "run.start-tool-call" && call?.end != null);
  return (
    (isFailure ? failed : 0) |
    (isUndone ? undone : 0) |
    (CHANGES.has(type) ? changing : 0) |
    (isMinor ? minor : 0)
  );
}

/** Finds the call and the turn of each event. The caller passes the events in their order. */
class Owners {
  readonly #turns: ReadonlyMap<string, number>;
  readonly #byStart: ReadonlyMap<number, CallRow>;
  /** Calls that have started, by id. */
  readonly #started = new Map<string, CallRow>();
  readonly #open = new Set<CallRow>();
  #turn = -1;

  constructor(turns: readonly FoundTurn[], calls: readonly CallRow[]) {
    this.#turns = new Map(turns.map(({ run, turn, index }) => [`${run}/${turn}`, index]));
    this.#byStart = new Map(calls.map((call) => [call.start, call]));
  }

  of({ type, payload, meta, sequence }: RecordedEvent): {
    readonly call: number;
    readonly turn: number;
  } {
    const fields = fieldsOf(payload);
    if (type === "run.render-prompt") {
      const key = `${numberOf(fields["run"]) ?? 1}/${numberOf(fields["turn"])}`;
      this.#turn = this.#turns.get(key) ?? this.#turn;
    }
    const started = this.#byStart.get(sequence);
    if (started !== undefined) {
      this.#started.set(started.toolCallId, started);
      this.#open.add(started);
    }
    const call = started ?? this.#callOf(type, fields, meta);
    if (call !== undefined && call.end === sequence) this.#open.delete(call);
    const turn = call?.turn ?? this.#turn;
    if (type === "run.execute-prompt") this.#turn = -1;
    return { call: call?.index ?? -1, turn };
  }

  #callOf(
    type: string,
    fields: Readonly<Record<string, unknown>>,
    meta: RecordedEvent["meta"],
  ): CallRow | undefined {
    const named = textOf(meta?.["toolCallId"]) ?? textOf(fields["toolCallId"]);
    if (named !== null) return this.#started.get(named);
    // Logs of earlier versions do not store the call of an event, so it is known only if one call was active.
    const [only] = this.#open;
    return this.#open.size === 1 && !type.startsWith("run.") ? only : undefined;
  }
}

import type { CallRow, RunOverview, TurnRow } from "../../model/run-overview.js";

/** The events of an overview by the turn and the call that they belong to. Built once for each overview. */
export class RunIndex {
  readonly overview: RunOverview;
  /** Events that belong to no turn and no call. */
  readonly outside: readonly number[];
  readonly #ofTurn: readonly number[][];
  readonly #ofCall: readonly number[][];

  constructor(overview: RunOverview) {
    this.overview = overview;
    const { columns, turns, calls } = overview;
    const ofTurn = turns.map((): number[] => []);
    const ofCall = calls.map((): number[] => []);
    const outside: number[] = [];
    for (let at = 0; at < columns.type.length; at++) {
      const [call, turn] = [columns.call[at] ?? -1, columns.turn[at] ?? -1];
      const list = call >= 0 ? ofCall[call] : turn >= 0 ? ofTurn[turn] : outside;
      (list ?? outside).push(columns.from + at);
    }
    this.outside = outside;
    this.#ofTurn = ofTurn;
    this.#ofCall = ofCall;
  }

  /** Events of a turn that belong to none of its calls. */
  eventsOfTurn(turn: number): readonly number[] {
    return this.#ofTurn[turn] ?? [];
  }

  eventsOfCall(call: number): readonly number[] {
    return this.#ofCall[call] ?? [];
  }

  callsOfTurn({ firstCall, callCount }: TurnRow): readonly CallRow[] {
    return this.overview.calls.slice(firstCall, firstCall + callCount);
  }

  typeOf(sequence: number): string {
    const { columns } = this.overview;
    return columns.types[columns.type[sequence - columns.from] ?? -1] ?? "";
  }

  flagsOf(sequence: number): number {
    return this.overview.columns.flags[sequence - this.overview.columns.from] ?? 0;
  }

  /** The time of an event. Milliseconds since the run's epoch. */
  timeOf(sequence: number): number {
    return this.overview.columns.time[sequence - this.overview.columns.from] ?? 0;
  }

  /** The position of the call that an event belongs to, or `undefined`. */
  callOf(sequence: number): number | undefined {
    const call = this.overview.columns.call[sequence - this.overview.columns.from] ?? -1;
    return call < 0 ? undefined : call;
  }

  /** The position of the turn that an event belongs to, or of the last turn that started before it. */
  turnOf(sequence: number): number | undefined {
    const turn = this.overview.columns.turn[sequence - this.overview.columns.from] ?? -1;
    return turn >= 0 ? turn : this.overview.turns.findLast(({ from }) => from <= sequence)?.index;
  }
}

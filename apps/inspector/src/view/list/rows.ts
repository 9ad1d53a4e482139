import { type CallRow, EVENT_FLAGS, type RunKey } from "../../model/run-overview.js";
import type { Filter } from "../route/route.js";
import type { RunIndex } from "./run-index.js";

/** A row of the list. `index` is a position in the overview, or the number of an event. */
export interface Row {
  readonly run: RunKey;
  readonly kind: "evaluation" | "process" | "turn" | "call" | "event" | "loading";
  readonly index: number;
  readonly depth: number;
  /** `undefined` for a row without rows below it. */
  readonly isOpen?: boolean | undefined;
}

export interface RowOptions {
  readonly only: readonly Filter[];
  /** Names of the rows that the user opened or closed. By default turns are open and calls are closed. */
  readonly toggled: ReadonlySet<string>;
  readonly openAll: boolean;
  /** The overview of a subagent's run, or `undefined` while it is loaded. */
  readonly childOf: (run: RunKey) => RunIndex | undefined;
}

/** The name of a row in the page's URL. Rows of the root run have no prefix. */
export function rowName({ run, kind, index }: Omit<Row, "depth">, root: RunKey): string {
  const name = `${kind[0]}${index}`;
  return run === root ? name : `${run}:${name}`;
}

/** The rows of a run: turns, their calls, and their events. */
export function buildRows(index: RunIndex, root: RunKey, options: RowOptions): readonly Row[] {
  const builder = new RowBuilder(root, options);
  builder.addRun(index, 0);
  return builder.rows;
}

/** A row to insert. Rows are sorted by event number, then by `order`. */
interface Item {
  readonly at: number;
  readonly order: number;
  readonly add: () => void;
}

class RowBuilder {
  readonly rows: Row[] = [];
  readonly #root: RunKey;
  readonly #options: RowOptions;
  readonly #mask: number;

  constructor(root: RunKey, options: RowOptions) {
    this.#root = root;
    this.#options = options;
    this.#mask = options.only.reduce((mask, filter) => mask | EVENT_FLAGS[filter], 0);
  }

  addRun(index: RunIndex, depth: number): void {
    const { evaluations, processes, turns, calls, summary } = index.overview;
    const items: Item[] = turns.map(({ from, index: position }) => ({
      ...{ at: from, order: 2, add: () => this.#addTurn(index, position, depth) },
    }));
    for (const call of calls)
      if (call.turn === null)
        items.push({ at: call.start, order: 3, add: () => this.#addCall(index, call, depth) });
    for (const sequence of index.outside)
      items.push({ at: sequence, order: 3, add: () => this.#addEvent(index, sequence, depth) });
    const plain = (kind: Row["kind"], position: number) => () => {
      if (this.#mask === 0) this.rows.push({ run: summary.key, kind, index: position, depth });
    };
    if (evaluations.length > 1)
      for (const [position, { from }] of evaluations.entries())
        items.push({ at: from + 0.5, order: 1, add: plain("evaluation", position) });
    if (processes.length > 1)
      for (const [position, { from }] of processes.entries())
        items.push({ at: from, order: 0, add: plain("process", position) });
    addAll(items);
  }

  #addTurn(index: RunIndex, position: number, depth: number): void {
    const turn = index.overview.turns[position];
    if (turn === undefined) return;
    const row = { run: index.overview.summary.key, kind: "turn", index: position, depth } as const;
    const start = this.rows.length;
    const isOpen = this.#isOpen(row, true);
    this.rows.push({ ...row, isOpen });
    if (!isOpen && this.#mask === 0) return;
    const items: Item[] = index.callsOfTurn(turn).map((call) => ({
      ...{ at: call.start, order: 0, add: () => this.#addCall(index, call, depth + 1) },
    }));
    for (const sequence of index.eventsOfTurn(position))
      items.push({ at: sequence, order: 1, add: () => this.#addEvent(index, sequence, depth + 1) });
    addAll(items);
    // With a filter, a turn is shown only if it contains something.
    if (this.rows.length === start + 1 && this.#mask !== 0) this.rows.length = start;
    else if (!isOpen) this.rows.length = start + 1;
  }

  #addCall(index: RunIndex, call: CallRow, depth: number): void {
    if (!this.#passes(call)) return;
    const row = {
      run: index.overview.summary.key,
      kind: "call",
      index: call.index,
      depth,
    } as const;
    const isOpen = this.#isOpen(row, false);
    this.rows.push({ ...row, isOpen });
    if (!isOpen) return;
    for (const sequence of index.eventsOfCall(call.index))
      this.#addEvent(index, sequence, depth + 1);
    if (call.child === null) return;
    const child = this.#options.childOf(call.child);
    if (child !== undefined) this.addRun(child, depth + 1);
    else this.rows.push({ run: call.child, kind: "loading", index: 0, depth: depth + 1 });
  }

  #addEvent(index: RunIndex, sequence: number, depth: number): void {
    const flags = index.flagsOf(sequence);
    const isMajor = this.#options.openAll || (flags & EVENT_FLAGS.minor) === 0;
    if (this.#mask === 0 ? isMajor : (flags & this.#mask) !== 0)
      this.rows.push({ run: index.overview.summary.key, kind: "event", index: sequence, depth });
  }

  #passes(call: CallRow): boolean {
    if (this.#mask === 0) return true;
    const { only } = this.#options;
    if (only.includes("failed") && call.isFailed) return true;
    if (only.includes("undone") && call.undone !== null) return true;
    if (only.includes("changing") && call.changes > 0) return true;
    const child = call.child === null ? undefined : this.#options.childOf(call.child);
    return child?.overview.calls.some((each) => this.#passes(each)) ?? false;
  }

  #isOpen(row: Row, byDefault: boolean): boolean {
    const isToggled = this.#options.toggled.has(rowName(row, this.#root));
    return isToggled !== (byDefault || this.#options.openAll);
  }
}

function addAll(items: Item[]): void {
  items.sort((one, two) => one.at - two.at || one.order - two.order);
  for (const { add } of items) add();
}

import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { RunKey } from "../../model/run-overview.js";
import type { RunSource, SourceInfo } from "../../source/run-source.js";
import { buildRows, type Row, rowName } from "../list/rows.js";
import { RunIndex } from "../list/run-index.js";
import {
  firstSelection,
  lastSelection,
  parseAt,
  type Selection,
  type Span,
  select,
  spanOf,
} from "../list/selection.js";
import { formatRoute, parseRoute, type Route } from "../route/route.js";
import { Answers } from "./answers.js";

/** The state of the page. It is computed from the address and the source. */
export class Inspector {
  readonly source: RunSource;
  readonly info: SourceInfo;
  readonly answers = new Answers();
  readonly route = signal<Route>(parseRoute(location.hash));
  readonly indexes = signal<ReadonlyMap<RunKey, RunIndex>>(new Map());
  readonly problem = signal<string | undefined>(undefined);
  readonly isHelpOpen = signal(false);
  readonly scheme = signal<"system" | "light" | "dark">("system");
  /** The run that the list shows. Subagents' runs are inside it. */
  readonly root: ReadonlySignal<RunKey | undefined>;
  readonly index: ReadonlySignal<RunIndex | undefined>;
  readonly rows: ReadonlySignal<readonly Row[]>;
  readonly selection: ReadonlySignal<Selection | undefined>;
  readonly selectedRow: ReadonlySignal<number>;
  readonly span: ReadonlySignal<Span>;

  constructor(source: RunSource, info: SourceInfo) {
    this.source = source;
    this.info = info;
    // If a comparison was requested, the page opens with it.
    if (info.compare !== null && !/[#&]tab=/.test(location.hash))
      this.route.value = { ...this.route.value, tab: "compare" };
    this.root = computed(() => {
      const { run } = this.route.value;
      if (run === "list") return undefined;
      const known = info.runs.some(({ key }) => key === run);
      return known ? run : (info.open ?? (info.runs.length === 1 ? info.runs[0]?.key : undefined));
    });
    this.index = computed(() => this.indexes.value.get(this.root.value ?? ""));
    this.rows = computed(() => this.#buildRows());
    this.selection = computed(() => this.#select());
    this.selectedRow = computed(() => {
      const chosen = this.selection.value;
      if (chosen === undefined) return -1;
      return this.rows.value.findIndex(
        ({ run, kind, index }) =>
          kind === chosen.kind && index === chosen.index && run === chosen.run,
      );
    });
    this.span = computed(() => {
      const chosen = this.selection.value;
      return chosen === undefined ? { a: 0, b: 0 } : spanOf(chosen, this.route.value);
    });
    addEventListener("hashchange", () => {
      this.route.value = parseRoute(location.hash);
    });
  }

  /** Changes the address. A step that a reader wants to return to is added to the history. */
  go(change: Partial<Route>, how: "replace" | "push" = "replace"): void {
    const route = { ...this.route.value, ...change };
    const hash = formatRoute(route);
    if (hash !== formatRoute(this.route.value))
      history[how === "push" ? "pushState" : "replaceState"](null, "", hash);
    this.route.value = route;
  }

  /** Selects a row: `c12`, or `0.41:c2` in the run of a subagent. */
  choose(at: string, how: "replace" | "push" = "replace"): void {
    batch(() => {
      this.go({ at, follow: false }, how);
      this.#reveal();
    });
  }

  chooseRow(row: Row): void {
    if (isSelectable(row)) this.choose(rowName(row, this.root.value ?? ""));
  }

  /** The address of an event, call or turn of a run that the list contains. */
  nameOf(run: RunKey, kind: "turn" | "call" | "event", index: number): string {
    return rowName({ run, kind, index }, this.root.value ?? "");
  }

  toggle(row: Row): void {
    if (row.isOpen === undefined) return;
    const name = rowName(row, this.root.value ?? "");
    const open = this.route.value.open.filter((each) => each !== name);
    this.go({ open: open.length < this.route.value.open.length ? open : [...open, name] });
  }

  /** Loads the overview of a run, once. */
  async load(run: RunKey): Promise<void> {
    if (this.indexes.peek().has(run)) return;
    try {
      const index = new RunIndex(await this.source.overview(run));
      this.put(run, index);
    } catch (error) {
      this.problem.value = error instanceof Error ? error.message : `${error}`;
    }
  }

  put(run: RunKey, index: RunIndex): void {
    this.indexes.value = new Map([...this.indexes.peek(), [run, index]]);
  }

  #buildRows(): readonly Row[] {
    const [index, root] = [this.index.value, this.root.value];
    if (index === undefined || root === undefined) return [];
    const { only, open } = this.route.value;
    const indexes = this.indexes.value;
    const childOf = (run: RunKey) => {
      const child = indexes.get(run);
      if (child === undefined) queueMicrotask(() => this.load(run));
      return child;
    };
    const openAll = open.includes("all");
    return buildRows(index, root, { only, toggled: new Set(open), openAll, childOf });
  }

  #select(): Selection | undefined {
    const [index, root] = [this.index.value, this.root.value];
    if (index === undefined || root === undefined) return undefined;
    const { at, follow } = this.route.value;
    if (follow) return select(index, lastSelection(index));
    const chosen = parseAt(at ?? firstSelection(index), root);
    const of = this.indexes.value.get(chosen.run);
    if (of !== undefined) return select(of, chosen);
    queueMicrotask(() => this.load(chosen.run));
    return undefined;
  }

  /** Opens the rows around the selected one. */
  #reveal(): void {
    const chosen = this.selection.value;
    if (chosen === undefined || this.selectedRow.value >= 0) return;
    const { open } = this.route.value;
    const parents = [];
    if (chosen.kind === "event" && chosen.call)
      parents.push(this.nameOf(chosen.run, "call", chosen.call.index));
    for (let { run } = chosen; run !== this.root.value; ) {
      const { parent } = this.indexes.value.get(run)?.overview.summary ?? {};
      if (!parent) break;
      const call = this.indexes.value.get(parent.run)?.callOf(parent.sequence);
      if (call !== undefined) parents.push(this.nameOf(parent.run, "call", call));
      run = parent.run;
    }
    const missing = parents.filter((name) => !open.includes(name));
    if (missing.length > 0 && !open.includes("all")) this.go({ open: [...open, ...missing] });
  }
}

export function isSelectable({ kind }: Row): boolean {
  return kind === "turn" || kind === "call" || kind === "event";
}

const Context = createContext<Inspector | undefined>(undefined);
export const InspectorProvider = Context.Provider;

export function useInspector(): Inspector {
  const inspector = useContext(Context);
  if (inspector === undefined) throw new Error("inspector: a component is outside the provider.");
  return inspector;
}

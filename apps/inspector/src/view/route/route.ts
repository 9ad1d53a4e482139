/** Everything that the page shows, as it is in the address. */
export interface Route {
  /** The id of a run. @default the list of runs, or the only run */
  readonly run?: string | undefined;
  /**
   * The selected row: `t3` (turn), `c12` (call) or `e38` (event), after the run of a subagent: `0.41:c2`.
   * @default the first failed or undone call
   */
  readonly at?: string | undefined;
  readonly tab: Tab;
  /** The compared events of the Changes tab. */
  readonly range: Range;
  readonly a?: number | undefined;
  readonly b?: number | undefined;
  /** The path of the open file. */
  readonly path?: string | undefined;
  /** Whether the Files tab shows who wrote each line. */
  readonly blame: boolean;
  /** The open slice of the State tab. */
  readonly slice?: string | undefined;
  readonly query: string;
  readonly only: readonly Filter[];
  /** Open rows that are closed by default, and closed rows that are open by default: `t3`, `c12`, `all`. */
  readonly open: readonly string[];
  /** The other run of a comparison. */
  readonly compare?: string | undefined;
  readonly follow: boolean;
}

export const TABS = [
  "changes",
  "files",
  "prompt",
  "conversation",
  "call",
  "plan",
  "state",
  "usage",
  "raw",
  "compare",
] as const;
export type Tab = (typeof TABS)[number];

export const RANGES = ["call", "turn", "start", "pins"] as const;
export type Range = (typeof RANGES)[number];

export const FILTERS = ["failed", "undone", "changing"] as const;
export type Filter = (typeof FILTERS)[number];

const FIRST_ROUTE: Route = {
  ...{ tab: "changes", range: "call", blame: false, query: "", only: [], open: [], follow: false },
};

/** The name of a row, such as `c12`. In a subagent's run, the key of the run comes first: `0.41:c2`. */
const ROW = /^(?:[\d.]{1,100}:)?[tce]\d{1,9}$/;

/** Reads the part of the address after `#`. Unknown and wrong parts are ignored. */
export function parseRoute(hash: string): Route {
  const given = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name: string) => given.get(name) ?? undefined;
  const one = <const Values extends readonly string[]>(
    name: string,
    values: Values,
    otherwise: Values[number],
  ): Values[number] => values.find((value) => value === text(name)) ?? otherwise;
  const list = (name: string) => (text(name) ?? "").split(",").filter((part) => part !== "");
  const at = text("at");
  return {
    run: text("run"),
    at: at !== undefined && ROW.test(at) ? at : undefined,
    tab: one("tab", TABS, FIRST_ROUTE.tab),
    range: one("range", RANGES, FIRST_ROUTE.range),
    ...{ a: eventNumber(text("a")), b: eventNumber(text("b")) },
    path: text("path"),
    blame: text("blame") === "1",
    slice: text("slice"),
    query: text("q") ?? "",
    only: FILTERS.filter((filter) => list("only").includes(filter)),
    open: list("open").filter((part) => part === "all" || ROW.test(part)),
    compare: text("compare"),
    follow: text("follow") === "1",
  };
}

function eventNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}

/** The address of a route. Parts with their default value are left out. */
export function formatRoute(route: Route): string {
  const { run, at, tab, range, a, b, path, blame, slice, query, only, open, compare, follow } =
    route;
  const parts = new URLSearchParams();
  const put = (name: string, value: string | number | undefined, otherwise = "") => {
    if (value !== undefined && `${value}` !== otherwise) parts.set(name, `${value}`);
  };
  put("run", run);
  put("at", at);
  put("tab", tab, FIRST_ROUTE.tab);
  put("range", range, FIRST_ROUTE.range);
  put("a", a);
  put("b", b);
  put("path", path);
  put("blame", blame ? 1 : "");
  put("slice", slice);
  put("q", query);
  put("only", only.join(","));
  put("open", open.join(","));
  put("compare", compare);
  put("follow", follow ? 1 : "");
  return `#${parts}`;
}

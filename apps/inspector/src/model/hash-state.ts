/** Everything that a link to the page contains. */
export interface HashState {
  readonly run: string | null;
  readonly event: number | null;
  readonly tab: string | null;
  /** The pins of the comparison. */
  readonly a: number | null;
  readonly b: number | null;
  readonly path: string | null;
  readonly line: number | null;
  readonly search: string;
  readonly filters: readonly string[];
  readonly compare: string | null;
}

const EMPTY: HashState = {
  ...{ run: null, event: null, tab: null, a: null, b: null, path: null, line: null },
  ...{ search: "", filters: [], compare: null },
};

/** `#run=0&e=38&t=changes&a=24&b=38&path=src%2Fa.ts&line=3&q=text&only=failed,undone&with=1` */
export function encodeHash(state: Partial<HashState>): string {
  const { run, event, tab, a, b, path, line, search, filters, compare } = { ...EMPTY, ...state };
  const fields = new URLSearchParams();
  const set = (name: string, value: string | number | null) => {
    if (value !== null && value !== "") fields.set(name, String(value));
  };
  set("run", run);
  set("e", event);
  set("t", tab);
  set("a", a);
  set("b", b);
  set("path", path);
  set("line", line);
  set("q", search);
  set("only", filters.join(","));
  set("with", compare);
  return `#${fields}`;
}

/** Reads a link. A field that is not valid is left out, because anyone can write a link. */
export function decodeHash(hash: string): HashState {
  const fields = new URLSearchParams(hash.replace(/^#/, ""));
  const text = (name: string) => fields.get(name) || null;
  const number = (name: string) => {
    const value = fields.get(name) ?? "";
    return /^\d{1,15}$/.test(value) ? Number(value) : null;
  };
  const key = (name: string) => {
    const value = fields.get(name) ?? "";
    return /^\d{1,9}(\.\d{1,9}(-\d{1,4})?)*$/.test(value) ? value : null;
  };
  const word = (value: string | null) =>
    value !== null && /^[a-z]{1,20}$/.test(value) ? value : null;
  return {
    ...{
      run: key("run"),
      event: number("e"),
      tab: word(text("t")),
      a: number("a"),
      b: number("b"),
    },
    ...{ path: text("path"), line: number("line"), search: text("q") ?? "", compare: key("with") },
    filters: (text("only") ?? "").split(",").filter((each) => word(each) !== null),
  };
}

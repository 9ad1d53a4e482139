interface Position {
  readonly field: number;
  /** From 1. In an end, 0 is the end of the field. */
  readonly character: number;
}

export interface SortKey {
  readonly start: Position;
  readonly end: Position | undefined;
  readonly flags: ReadonlySet<string>;
}

interface Order {
  readonly keys: readonly SortKey[];
  readonly flags: ReadonlySet<string>;
  /** @default blanks before a field belong to it */
  readonly separator: string | undefined;
}

/** Compares lines by their keys, and then by all their bytes unless the order is stable. */
export function compareLines({ keys, flags, separator }: Order): (a: string, b: string) => number {
  const ordered = keys.map((key) => {
    const own = key.flags.size > 0 ? key.flags : flags;
    const value = (line: string) => orderValue(extract(line, key, separator, own), own);
    return { value, sign: own.has("r") ? -1 : 1 };
  });
  if (keys.length === 0)
    ordered.push({ value: (line) => orderValue(line, flags), sign: flags.has("r") ? -1 : 1 });
  return (a, b) => {
    for (const { value, sign } of ordered) {
      const result = compareValues(value(a), value(b));
      if (result !== 0) return sign * result;
    }
    return flags.has("s") || flags.has("u") ? 0 : (flags.has("r") ? -1 : 1) * compareText(a, b);
  };
}

function extract(
  line: string,
  { start, end }: SortKey,
  separator: string | undefined,
  flags: ReadonlySet<string>,
): string {
  const bounds = fieldBounds(line, separator);
  const at = ({ field, character }: Position) => {
    const from = bounds[field - 1]?.from ?? line.length;
    const blanks = flags.has("b") ? (/^[ \t]*/.exec(line.slice(from))?.[0].length ?? 0) : 0;
    return from + blanks + character;
  };
  const to = end?.character === 0 ? bounds[end.field - 1]?.to : end && at(end);
  return line.slice(at(start) - 1, to ?? line.length);
}

function fieldBounds(line: string, separator: string | undefined) {
  const bounds: { readonly from: number; readonly to: number }[] = [];
  if (separator === undefined) {
    for (const { index, 0: text } of line.matchAll(/[ \t]*[^ \t]+|[ \t]+$/g))
      bounds.push({ from: index, to: index + text.length });
    return bounds;
  }
  let from = 0;
  for (const field of line.split(separator)) {
    bounds.push({ from, to: from + field.length });
    from += field.length + separator.length;
  }
  return bounds;
}

type Value = string | number | readonly (string | number)[];

function orderValue(text: string, flags: ReadonlySet<string>): Value {
  if (flags.has("n")) return Number(/^\s*(-?(?:\d+\.?\d*|\.\d+))/.exec(text)?.[1] ?? 0);
  if (flags.has("g")) return Number.parseFloat(text) || 0;
  if (flags.has("h")) return humanNumber(text);
  if (flags.has("M")) return MONTHS.indexOf(text.trim().slice(0, 3).toUpperCase()) / 4;
  if (flags.has("V"))
    return text.split(/(\d+)/).map((part, index) => (index % 2 ? Number(part) : part));
  let value = flags.has("b") ? text.replace(/^[ \t]+/, "") : text;
  if (flags.has("d")) value = value.replace(/[^\w \t]|_/g, "");
  return flags.has("f") ? value.toUpperCase() : value;
}

const MONTHS = "JAN FEB MAR APR MAY JUN JUL AUG SEP OCT NOV DEC";

/** The unit counts more than the number, as in `sort -h`. */
function humanNumber(text: string): Value {
  const [, number = "0", unit = ""] = /^\s*(-?[\d.]+)([KMGTPEZY]?)/i.exec(text) ?? [];
  const power = unit === "" ? 0 : "KMGTPEZY".indexOf(unit.toUpperCase()) + 1;
  const value = Number(number) || 0;
  return value < 0 ? [-power, value] : [value === 0 ? 0 : power, value];
}

function compareValues(a: Value, b: Value): number {
  if (typeof a === "number" && typeof b === "number") return a - b;
  if (typeof a !== "object" || typeof b !== "object") return compareText(`${a}`, `${b}`);
  for (let index = 0; index < Math.min(a.length, b.length); index += 1) {
    const result = compareValues(a[index] ?? 0, b[index] ?? 0);
    if (result !== 0) return result;
  }
  return a.length - b.length;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

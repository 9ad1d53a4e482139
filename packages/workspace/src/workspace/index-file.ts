import type { Stats } from "node:fs";

/** How many numbers the index has per node: the fields of a stat that tell whether the node changed. */
export const FIELDS = 6;

const FIRST_LINE = "wink-index 2\n";
/** Numbers start at a multiple of their size. */
const ALIGNMENT = 8;

/** The content of an index: nodes with `FIELDS` numbers each, and the rules that decided which nodes are copied. */
export interface IndexContent {
  /** Directories end with `/`. */
  readonly keys: readonly string[];
  readonly rows: Float64Array;
  /** `undefined` before the whole directory was walked. */
  readonly watched: Watched | undefined;
}

/** Paths that are not copied but decide about copies, with their stats. `null` for a missing file. */
export type Watched = Readonly<Record<string, readonly number[] | null>>;

/** One changed node. Without `row` it is removed. */
export interface IndexLine {
  readonly key: string;
  readonly row?: readonly number[] | undefined;
}

/**
 * A line with the lengths, the keys, and the numbers as they are in memory, because parsing them would take longer than
 * comparing them. Lines of later changes follow. A key contains no line feed, because names show control characters as
 * other characters.
 */
export function encodeIndex({ keys, rows, watched }: IndexContent): Buffer {
  const names = Buffer.from(keys.join("\n"));
  const head = { count: keys.length, namesBytes: names.length, watched };
  const start = Buffer.from(`${FIRST_LINE}${JSON.stringify(head)}\n`);
  const used = start.length + names.length;
  const padding = Buffer.alloc((ALIGNMENT - (used % ALIGNMENT)) % ALIGNMENT);
  const numbers = Buffer.from(rows.buffer, rows.byteOffset, keys.length * FIELDS * ALIGNMENT);
  return Buffer.concat([start, names, padding, numbers]);
}

/** `undefined` if it is damaged or of another version. */
export function decodeIndex(
  file: Buffer,
): { readonly content: IndexContent; readonly lines: readonly IndexLine[] } | undefined {
  if (file.toString("latin1", 0, FIRST_LINE.length) !== FIRST_LINE) return undefined;
  try {
    const end = file.indexOf("\n", FIRST_LINE.length);
    const head = JSON.parse(file.toString("utf8", FIRST_LINE.length, end));
    const namesEnd = end + 1 + head.namesBytes;
    const names = file.toString("utf8", end + 1, namesEnd);
    const start = Math.ceil(namesEnd / ALIGNMENT) * ALIGNMENT;
    const numbersEnd = start + head.count * FIELDS * ALIGNMENT;
    if (!(numbersEnd <= file.length)) return undefined;
    // A copy, because the file may start at any address.
    const numbers = file.buffer.slice(file.byteOffset + start, file.byteOffset + numbersEnd);
    const content = {
      keys: head.count === 0 ? [] : names.split("\n"),
      rows: new Float64Array(numbers),
      watched: head.watched,
    };
    // The last line was cut off by a kill, or is empty.
    const lines = file.toString("utf8", numbersEnd).split("\n").slice(0, -1);
    return { content, lines: lines.map((line) => decodeLine(line)) };
  } catch {
    return undefined;
  }
}

export function encodeLine({ key, row }: IndexLine): string {
  return `${JSON.stringify(row ? [key, ...row] : [key])}\n`;
}

function decodeLine(line: string): IndexLine {
  const [key, ...row] = JSON.parse(line);
  // JSON writes NaN, the mark of an unknown stat, as null.
  return { key, row: row.length === 0 ? undefined : row.map((each: number | null) => each ?? NaN) };
}

/** The change time of a directory changes with its entries, also if a program sets its modification time back. */
export function rowOf(stat: Stats): number[] {
  return [stat.mtimeMs, stat.ctimeMs, stat.size, stat.ino, stat.mode, stat.dev];
}

export function isRow(rows: ArrayLike<number>, at: number, stat: Stats): boolean {
  return (
    rows[at] === stat.mtimeMs &&
    rows[at + 1] === stat.ctimeMs &&
    rows[at + 2] === stat.size &&
    rows[at + 3] === stat.ino &&
    rows[at + 4] === stat.mode &&
    rows[at + 5] === stat.dev
  );
}

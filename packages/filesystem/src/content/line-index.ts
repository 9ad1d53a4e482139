/** Only every 64th line end is stored; the others are searched again. A text may consist of line ends only. */
const STRIDE = 64;

/** The line positions of a text, so that a page costs only what it returns. */
export class LineIndex {
  readonly #text: string;
  readonly #marks: number[] = [];
  readonly #count: number;

  constructor(text: string) {
    this.#text = text;
    this.#count = eachLine(text, (count, end) => {
      if (count % STRIDE === 0) this.#marks.push(end);
    });
  }

  /** The lines from `first` to before `last`, counted from 0. */
  slice(first: number, last: number): string {
    if (first >= last) return "";
    return this.#text.slice(this.#endOf(first), this.#endOf(last));
  }

  /** The position after the given number of lines. */
  #endOf(lines: number): number {
    if (lines >= this.#count) return this.#text.length;
    const mark = Math.floor(lines / STRIDE);
    let end = this.#marks[mark - 1] ?? 0;
    for (let line = mark * STRIDE; line < lines; line++) end = this.#text.indexOf("\n", end) + 1;
    return end;
  }
}

/** The number of lines. Text after the last line end counts as a line. */
export function countLines(text: string): number {
  return eachLine(text, () => {});
}

/** Calls `visit` with the number of each terminated line and the position after it. Returns the number of all lines. */
function eachLine(text: string, visit: (count: number, end: number) => void): number {
  let count = 0;
  let start = 0;
  for (;;) {
    const end = text.indexOf("\n", start) + 1;
    if (end === 0) return start < text.length ? count + 1 : count;
    visit(++count, end);
    start = end;
  }
}

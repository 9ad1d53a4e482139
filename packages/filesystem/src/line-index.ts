/** The place of one line end out of so many is kept; those in between are found anew. A text may be nothing but line ends. */
const STRIDE = 64;
/** Line ends that are this near are found faster one character at a time. */
const NEAR = 8;
const LINE_FEED = 0x0a;

/** Where the lines of a text are, so that a page of it costs what it returns. */
export class LineIndex {
  readonly #text: string;
  readonly #marks: number[] = [];
  readonly #count: number;

  constructor(text: string) {
    this.#text = text;
    let count = 0;
    let start = 0;
    for (let end = lineEnd(text, 0); end >= 0; end = lineEnd(text, end)) {
      if (++count % STRIDE === 0) this.#marks.push(end);
      start = end;
    }
    this.#count = start < text.length ? count + 1 : count;
  }

  /** The lines from `first` up to and without `last`, counted from 0. */
  slice(first: number, last: number): string {
    if (first >= last) return "";
    return this.#text.slice(this.#endOf(first), this.#endOf(last));
  }

  /** The position just after so many lines. */
  #endOf(lines: number): number {
    if (lines >= this.#count) return this.#text.length;
    const mark = Math.floor(lines / STRIDE);
    let end = this.#marks[mark - 1] ?? 0;
    for (let line = mark * STRIDE; line < lines; line++) end = lineEnd(this.#text, end);
    return end;
  }
}

/** How many lines a text has, what follows its last line end included. */
export function countLines(text: string): number {
  let count = 0;
  let start = 0;
  for (let end = lineEnd(text, 0); end >= 0; end = lineEnd(text, end)) {
    count++;
    start = end;
  }
  return start < text.length ? count + 1 : count;
}

/** The position just after the next line feed; -1 when there is none. */
function lineEnd(text: string, from: number): number {
  const near = Math.min(from + NEAR, text.length);
  for (let index = from; index < near; index++)
    if (text.charCodeAt(index) === LINE_FEED) return index + 1;
  return text.indexOf("\n", near) + 1 || -1;
}

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
    this.#count = eachLine(text, (count, end) => {
      if (count % STRIDE === 0) this.#marks.push(end);
    });
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
    for (let line = mark * STRIDE; line < lines; line++) end = this.#text.indexOf("\n", end) + 1;
    return end;
  }
}

/** How many lines a text has, what follows its last line end included. */
export function countLines(text: string): number {
  return eachLine(text, () => {});
}

/** Calls `visit` with the number of each line that is ended and the position behind it. Answers how many lines there are. */
function eachLine(text: string, visit: (count: number, end: number) => void): number {
  let count = 0;
  let start = 0;
  let length = NEAR + 1;
  for (;;) {
    // After a short line comes a short line.
    const end = length > NEAR ? text.indexOf("\n", start) + 1 : nearEnd(text, start);
    if (end === 0) return start < text.length ? count + 1 : count;
    visit(++count, end);
    length = end - start;
    start = end;
  }
}

/** The position behind the next line feed, probably a near one; 0 when there is none. */
function nearEnd(text: string, from: number): number {
  const near = Math.min(from + NEAR, text.length);
  for (let index = from; index < near; index++)
    if (text.charCodeAt(index) === LINE_FEED) return index + 1;
  return text.indexOf("\n", near) + 1;
}

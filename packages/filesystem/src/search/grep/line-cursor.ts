/** A cursor on one line of a text. It moves forward only, and counts lines only when a line number is needed. */
export class LineCursor {
  readonly text: string;
  lineStart = 0;
  /** Before the line end: before `\n`, and before one `\r` that precedes it. */
  lineEnd = 0;
  /** Where the next line starts, or the length of the text. */
  nextLine = 0;
  #countedTo = 0;
  #counted = 1;

  constructor(text: string) {
    this.text = text;
  }

  /** Moves to the line that contains `position`. Must not move back. */
  moveTo(position: number): void {
    const { text } = this;
    // `lastIndexOf` treats a negative position as 0 and would find a line end there.
    this.lineStart = position === 0 ? 0 : text.lastIndexOf("\n", position - 1) + 1;
    const lineFeed = text.indexOf("\n", position);
    const end = lineFeed < 0 ? text.length : lineFeed;
    this.nextLine = lineFeed < 0 ? end : end + 1;
    const hasReturn =
      lineFeed > this.lineStart && text.charCodeAt(lineFeed - 1) === CARRIAGE_RETURN;
    this.lineEnd = hasReturn ? end - 1 : end;
  }

  /** Counted from 1. */
  lineNumber(): number {
    while (this.#countedTo < this.lineStart) {
      this.#countedTo = this.text.indexOf("\n", this.#countedTo) + 1;
      this.#counted++;
    }
    return this.#counted;
  }
}

const CARRIAGE_RETURN = 0x0d;

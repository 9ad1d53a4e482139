export interface ClipOptions {
  readonly maxCharacters: number;
  /** How to read the omitted text, as the end of a sentence. @default none */
  readonly rest?: string | undefined;
}

/** Shortens a long text to its head and tail. A line between them states how much is missing. */
export function clipText(text: string, options: ClipOptions): string {
  return clipPieces(text, options).join("\n");
}

/** Returns the whole text, or its head, a note about the omitted part, and its tail. */
export function clipPieces(
  text: string,
  { maxCharacters, rest = "" }: ClipOptions,
): readonly [text: string] | readonly [head: string, note: string, tail: string] {
  if (text.length <= maxCharacters) return [text];
  const note = (missing: number) =>
    `… ${missing.toLocaleString("en")} characters left out${rest && `; ${rest}`} …`;
  const room = Math.max(0, maxCharacters - note(text.length).length - 2);
  const head = text.slice(0, boundary(text, Math.ceil(room * 0.7)));
  const tail = text.slice(boundary(text, text.length - Math.floor(room * 0.3)));
  return [head, note(text.length - head.length - tail.length), tail];
}

/** Like `clipText` for a single line: adds no line breaks. */
export function clipLine(line: string, maxCharacters: number): string {
  if (line.length <= maxCharacters) return line;
  const mark = (missing: number) => ` … ${missing.toLocaleString("en")} characters left out … `;
  const room = Math.max(0, maxCharacters - mark(line.length).length);
  const head = line.slice(0, boundary(line, Math.ceil(room * 0.7)));
  const tail = line.slice(boundary(line, line.length - Math.floor(room * 0.3)));
  return head + mark(line.length - head.length - tail.length) + tail;
}

/** `index`, or `index - 1` if it would split a surrogate pair. */
export function boundary(text: string, index: number): number {
  const code = text.charCodeAt(index - 1);
  const isCut = code >= 0xd800 && code <= 0xdbff && index < text.length;
  return isCut ? index - 1 : index;
}

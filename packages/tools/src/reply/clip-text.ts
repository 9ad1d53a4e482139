export interface ClipOptions {
  readonly maxCharacters: number;
  /** Where the rest can be read, as the end of a sentence. @default nothing is said */
  readonly rest?: string | undefined;
}

/** Shows a long text by its head and its tail, with a line between them that says what is missing. */
export function clipText(text: string, options: ClipOptions): string {
  return clipPieces(text, options).join("\n");
}

/** The whole text, or its head, our note of what is missing, and its tail. */
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

/** The same for one line, which stays one. */
export function clipLine(line: string, maxCharacters: number): string {
  if (line.length <= maxCharacters) return line;
  const mark = (missing: number) => ` … ${missing.toLocaleString("en")} characters left out … `;
  const room = Math.max(0, maxCharacters - mark(line.length).length);
  const head = line.slice(0, boundary(line, Math.ceil(room * 0.7)));
  const tail = line.slice(boundary(line, line.length - Math.floor(room * 0.3)));
  return head + mark(line.length - head.length - tail.length) + tail;
}

/** `index`, or one less where it would cut a character in two. */
export function boundary(text: string, index: number): number {
  const code = text.charCodeAt(index - 1);
  const isCut = code >= 0xd800 && code <= 0xdbff && index < text.length;
  return isCut ? index - 1 : index;
}

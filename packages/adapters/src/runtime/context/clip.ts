/** Returns `text`, or its head and tail with a note of how many characters were cut out. */
export function clip(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const headLength = Math.ceil((maxCharacters * 2) / 3);
  const head = headOf(text, headLength);
  const tail = tailOf(text, maxCharacters - headLength);
  const left = text.length - head.length - tail.length;
  return `${head}\n… ${left} of ${text.length} characters are left out here …\n${tail}`;
}

/** The beginning, without half a character at its end: providers refuse lone surrogates. */
export function headOf(text: string, maxCharacters: number): string {
  const head = text.slice(0, maxCharacters);
  const last = head.charCodeAt(head.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? head.slice(0, -1) : head;
}

/** The end, without half a character at its beginning. */
export function tailOf(text: string, maxCharacters: number): string {
  const tail = text.slice(Math.max(0, text.length - maxCharacters));
  const first = tail.charCodeAt(0);
  return first >= 0xdc00 && first <= 0xdfff ? tail.slice(1) : tail;
}

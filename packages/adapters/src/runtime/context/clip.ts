/** Returns `text`, or its head and tail with a note of how many characters were cut out. */
export function clip(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  const headLength = Math.ceil((maxCharacters * 2) / 3);
  const head = withoutHalfCharacter(text.slice(0, headLength));
  const tail = text.slice(text.length - (maxCharacters - headLength));
  const wholeTail = isLowSurrogate(tail, 0) ? tail.slice(1) : tail;
  const left = text.length - head.length - wholeTail.length;
  return `${head}\n… ${left} of ${text.length} characters are left out here …\n${wholeTail}`;
}

function withoutHalfCharacter(head: string): string {
  const last = head.charCodeAt(head.length - 1);
  return last >= 0xd800 && last <= 0xdbff ? head.slice(0, -1) : head;
}

function isLowSurrogate(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff;
}

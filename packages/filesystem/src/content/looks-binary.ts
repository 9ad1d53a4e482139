/** Where a binary file shows that it is one. */
const LOOKED_AT_CHARACTERS = 8_000;

/** Whether decoded content holds a NUL near its start. What could not be decoded is binary anyway. */
export function looksBinary(text: string): boolean {
  if (text.length <= LOOKED_AT_CHARACTERS) return text.includes("\0");
  return text.slice(0, LOOKED_AT_CHARACTERS).includes("\0");
}

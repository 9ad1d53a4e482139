/** A NUL within these first characters marks a file as binary. */
const LOOKED_AT_CHARACTERS = 8_000;

/** Whether decoded content has a NUL near its start. Content that cannot be decoded is binary anyway. */
export function looksBinary(text: string): boolean {
  if (text.length <= LOOKED_AT_CHARACTERS) return text.includes("\0");
  return text.slice(0, LOOKED_AT_CHARACTERS).includes("\0");
}

/**
 * A checksum of a text as eight hexadecimal digits (FNV-1a over UTF-16 units).
 *
 * It detects damage, including every change of a single character. It does not protect against deliberate manipulation.
 */
export function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

/**
 * A checksum of a text as eight hexadecimal digits (FNV-1a over UTF-16 units).
 *
 * It finds damage, every change of a single character among it. It is no
 * protection against somebody who means to deceive.
 */
export function checksum(text: string): string {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return (hash >>> 0).toString(16).padStart(8, "0");
}

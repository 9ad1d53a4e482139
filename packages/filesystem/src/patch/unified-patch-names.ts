import { shownName } from "../path/host-name.js";

const encoder = new TextEncoder();
const ESCAPE_BASE = 0x10ff00;

/**
 * The bytes of a path on disk and in archives. A name that is not valid text contains its bytes as private characters
 * (see `host-name.ts`).
 */
export function pathBytes(path: string): Uint8Array {
  if (!path.includes("\udbff")) return encoder.encode(path);
  const parts = path
    .split("/")
    .map((segment) => rawSegment(segment) ?? [...encoder.encode(segment)]);
  return Uint8Array.from(parts.flatMap((part, index) => (index === 0 ? part : [SLASH, ...part])));
}

function rawSegment(segment: string): number[] | undefined {
  const bytes = [...segment].flatMap((character) => {
    const code = (character.codePointAt(0) ?? 0) - ESCAPE_BASE;
    return code >= 0 && code <= 0xff ? [code] : [...encoder.encode(character)];
  });
  // A name that merely contains such a character is encoded as normal text.
  return bytes.includes(0) || shownName(Uint8Array.from(bytes)) !== segment ? undefined : bytes;
}

const SLASH = 0x2f;

const ESCAPES: Readonly<Record<number, string>> = {
  ...{ 7: "\\a", 8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 12: "\\f", 13: "\\r" },
  ...{ 34: '\\"', 92: "\\\\" },
};

/** A path as git writes it in a patch. Unusual bytes are escaped and the name is put in quotes. */
export function quotedName(prefix: "" | "a/" | "b/", path: string): string {
  const bytes = pathBytes(path);
  const isPlain = bytes.every((byte) => byte >= 0x20 && byte < 0x7f && ESCAPES[byte] === undefined);
  if (isPlain) return prefix + path;
  return `"${prefix}${Array.from(bytes, quoteByte).join("")}"`;
}

function quoteByte(byte: number): string {
  const short = ESCAPES[byte];
  if (short !== undefined) return short;
  if (byte >= 0x20 && byte < 0x7f) return String.fromCharCode(byte);
  return `\\${byte.toString(8).padStart(3, "0")}`;
}

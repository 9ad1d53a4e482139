import { pathBytes } from "../path/host-name.js";

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

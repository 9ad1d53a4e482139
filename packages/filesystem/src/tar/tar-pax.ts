import { concatBytes } from "../content/bytes.js";
import { ascii } from "./tar-format.js";

/** Values that do not fit into a header block. They are bytes, because a path need not be valid text. */
export type PaxRecords = ReadonlyMap<string, Uint8Array>;

/** Each record starts with its length, which includes the digits of that length. */
export function encodePax(records: PaxRecords): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const [key, value] of records) {
    const rest = key.length + value.length + 3;
    let length = rest + String(rest).length;
    if (rest + String(length).length > length) length++;
    parts.push(ascii(`${length} ${key}=`), value, ascii("\n"));
  }
  return concatBytes(parts);
}

/** Returns `undefined` when the bytes are not valid records. */
export function decodePax(bytes: Uint8Array): PaxRecords | undefined {
  const records = new Map<string, Uint8Array>();
  for (let start = 0; start < bytes.length; ) {
    const space = bytes.indexOf(0x20, start);
    const equals = bytes.indexOf(0x3d, space);
    const digits = latin1(bytes.subarray(start, space));
    const end = start + Number(digits);
    const isRecord =
      space > start && equals > space && /^[1-9]\d{0,8}$/.test(digits) && end <= bytes.length;
    if (!isRecord || end <= equals || bytes[end - 1] !== 0x0a) return undefined;
    records.set(latin1(bytes.subarray(space + 1, equals)), bytes.subarray(equals + 1, end - 1));
    start = end;
  }
  return records;
}

export function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

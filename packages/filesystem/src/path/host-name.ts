import { concatBytes } from "../content/bytes.js";
import { invalidArgument } from "../protocol/filesystem-error.js";
import { requireText } from "./require-text.js";

/**
 * Names on disk are bytes; names in a workspace are text that can be part of a path.
 *
 * Most names are both. In other names each byte that cannot be shown is escaped as one private character, U+10FF00
 * plus the byte. That applies to invalid UTF-8, control characters, backslashes and the escape characters
 * themselves. So every name on disk has exactly one shown form, which converts back to the same bytes.
 */

const ESCAPE_BASE = 0x10ff00;
/** The first half of every escape character. No assigned character has it. */
export const ESCAPE_HIGH_SURROGATE = "\udbff";

/**
 * Whether a name that was read as UTF-8 may differ from the name on disk, or cannot be shown. Node replaces invalid
 * bytes by U+FFFD.
 */
export function isDoubtful(name: string): boolean {
  return DOUBTFUL.test(name);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
const DOUBTFUL = /[\u0000-\u001f\u007f-\u009f\\\ufffd\udbff]/;

/** The shown form of a name on disk. */
export function shownName(raw: Uint8Array): string {
  if (!(raw instanceof Uint8Array))
    throw invalidArgument("paths.shownName", "pass the bytes as a Uint8Array");
  let shown = "";
  for (let index = 0; index < raw.length; ) {
    const length = sequenceLength(raw, index);
    const character = length > 0 ? decode(raw.subarray(index, index + length)) : undefined;
    if (character !== undefined && isShowable(character)) {
      shown += character;
    } else {
      const end = index + (character === undefined ? 1 : length);
      for (let at = index; at < end; at++) shown += escapeByte(raw[at] ?? 0);
    }
    index += character === undefined ? 1 : length;
  }
  return shown;
}

/**
 * The name on disk for a shown name: the same string if nothing is escaped, or else bytes. `undefined` when no name
 * on disk has this shown form.
 */
export function rawName(shown: string): string | Buffer | undefined {
  // Fast for most names: a one-byte string cannot contain the surrogate.
  if (!shown.includes(ESCAPE_HIGH_SURROGATE)) return shown;
  return isShownName(shown) ? Buffer.from(unescapeBytes(shown)) : undefined;
}

/** Whether a name on disk has this shown form. */
export function isShownName(shown: string): boolean {
  const raw = unescapeBytes(shown);
  // `..` and `/` written as escapes fail here, because their bytes are never escaped.
  return !raw.includes(0) && shownName(raw) === shown;
}

/** The bytes of a path on disk and in archives. A segment that is not the shown form of a name is encoded as text. */
export function pathBytes(path: string): Uint8Array {
  requireText("pathBytes", path);
  if (!path.includes(ESCAPE_HIGH_SURROGATE)) return encoder.encode(path);
  const segments = path
    .split("/")
    .map((segment) => (isShownName(segment) ? unescapeBytes(segment) : encoder.encode(segment)));
  return concatBytes(
    segments.flatMap((segment, index) => (index === 0 ? [segment] : [SLASH, segment])),
  );
}

const SLASH = Uint8Array.of(0x2f);
const encoder = new TextEncoder();

function unescapeBytes(shown: string): Uint8Array {
  const parts: Uint8Array[] = [];
  for (const character of shown) {
    const code = character.codePointAt(0) ?? 0;
    const isEscape = code >= ESCAPE_BASE && code <= ESCAPE_BASE + 0xff;
    parts.push(isEscape ? Uint8Array.of(code - ESCAPE_BASE) : encoder.encode(character));
  }
  return concatBytes(parts);
}

function escapeByte(byte: number): string {
  return String.fromCodePoint(ESCAPE_BASE + byte);
}

function isShowable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x5c) return false;
  return !(code >= 0x7f && code <= 0x9f) && code < ESCAPE_BASE;
}

/** The length of the UTF-8 sequence by its first byte; 0 if no sequence starts here. */
function sequenceLength(raw: Uint8Array, index: number): number {
  const lead = raw[index] ?? 0;
  if (lead < 0x80) return 1;
  if (lead < 0xc2 || lead > 0xf4) return 0;
  return lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function decode(sequence: Uint8Array): string | undefined {
  try {
    return decoder.decode(sequence);
  } catch {
    return undefined;
  }
}

import { concatBytes } from "../content/bytes.js";

/**
 * Names on disk are bytes; names in a workspace are text that a path can hold.
 *
 * Most names are both. In the others each byte that cannot be shown (part of no
 * valid UTF-8, of a control character, of a backslash or of one of the escape
 * characters themselves) stands as one private character, U+10FF00 plus the byte.
 * Every name on disk thus has exactly one shown form, and it leads back to the
 * same bytes.
 */

const ESCAPE_BASE = 0x10ff00;
/** The first half of every escape character, and of nothing that is assigned. */
export const ESCAPE_HIGH_SURROGATE = "\udbff";

/** Whether a name read as UTF-8 may not be what is on disk, or may not be shown as it is. U+FFFD is what Node puts for bad bytes. */
export function isDoubtful(name: string): boolean {
  return DOUBTFUL.test(name);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
export const DOUBTFUL = /[\u0000-\u001f\u007f-\u009f\\\ufffd\udbff]/;

/** The shown form of a name on disk. */
export function shownName(raw: Uint8Array): string {
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
 * What a shown name is called on disk: itself when it is plain, else its bytes;
 * `undefined` when no name on disk is shown like this.
 */
export function rawName(shown: string): string | Buffer | undefined {
  // No search through most names: a one-byte string cannot hold the surrogate.
  if (!shown.includes(ESCAPE_HIGH_SURROGATE)) return shown;
  return isShownName(shown) ? Buffer.from(unescapeBytes(shown)) : undefined;
}

/** Whether some name on disk is shown like this. */
export function isShownName(shown: string): boolean {
  const raw = unescapeBytes(shown);
  // `..` and `/` written as escapes fail here: their bytes are shown as themselves.
  return !raw.includes(0) && shownName(raw) === shown;
}

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

/** How many bytes the sequence starting here says it has; 0 when none starts here. */
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

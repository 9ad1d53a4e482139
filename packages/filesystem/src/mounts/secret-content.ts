import { SECRET_CONTENT_RULES, type SecretContentRule } from "./secret-content-rules.js";

/** Larger files are not searched: keys and tokens stand in small files, and data would take most of the time of a mount. */
export const MAX_SEARCHED_FILE_BYTES = 1024 * 1024;
/** So much of the beginning of a file is searched. */
export const MAX_SEARCHED_BYTES = 64 * 1024;

/** What secret a file holds, for the report; `undefined` when none is found. Searches the beginning of text files that are not large. */
export function secretContent(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_SEARCHED_FILE_BYTES) return undefined;
  const searched = bytes.subarray(0, MAX_SEARCHED_BYTES);
  const rules = rulesFor(searched);
  if (rules.size === 0 || searched.includes(0)) return undefined;
  const text = textOf(searched);
  for (const rule of rules) if (holds(text, rule)) return rule.what;
  return undefined;
}

/** The beginning of a file as text for patterns: one character for each byte. */
export function textOf(bytes: Uint8Array): string {
  const { buffer, byteOffset, length } = bytes.subarray(0, MAX_SEARCHED_BYTES);
  return Buffer.from(buffer, byteOffset, length).toString("latin1");
}

function holds(text: string, { pattern }: SecretContentRule): boolean {
  for (const match of text.matchAll(pattern)) {
    const [secret = match[0]] = match.slice(1).filter((group) => group !== undefined);
    if (isRandom(secret)) return true;
  }
  return false;
}

const PLACEHOLDER =
  /example|xxxx|\*\*\*\*|0000000|1234567890ab|abcdefghij|your|placeholder|changeme|dummy|redacted/i;
const MIN_DIFFERENT_CHARACTERS = 9;

/** Whether a text can be a real secret: documentation shows tokens made of one character, or that say what goes there. */
function isRandom(text: string): boolean {
  return new Set(text).size >= MIN_DIFFERENT_CHARACTERS && !PLACEHOLDER.test(text);
}

/**
 * Finds which rules' anchors occur in `bytes`, in one pass that looks at every second pair of bytes: three bytes in a row
 * always hold such a pair. A search for each anchor would take longer than reading the files.
 */
function rulesFor(bytes: Uint8Array): ReadonlySet<SecretContentRule> {
  const found = new Set<SecretContentRule>();
  for (let at = 1; at < bytes.length; at += 2) {
    const pair = ((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0);
    if (PAIRS[pair] === 0) continue;
    for (const { text, end, rule } of ANCHORS.get(pair) ?? [])
      if (startsWith(bytes, at - end, text)) found.add(rule);
  }
  return found;
}

interface Anchor {
  readonly text: Uint8Array;
  /** Where the second byte of the pair is in it. */
  readonly end: number;
  readonly rule: SecretContentRule;
}

/** 1 for each pair of bytes in `ANCHORS`. */
const PAIRS = new Uint8Array(1 << 16);
/** By the two pairs in the rarest three bytes of each anchor. */
const ANCHORS = new Map<number, Anchor[]>();
for (const rule of SECRET_CONTENT_RULES) {
  for (const anchor of rule.anchors) {
    const text = new TextEncoder().encode(anchor);
    const start = rarestStart(anchor);
    for (const end of [start + 1, start + 2]) {
      const pair = ((text[end - 1] ?? 0) << 8) | (text[end] ?? 0);
      PAIRS[pair] = 1;
      ANCHORS.set(pair, [...(ANCHORS.get(pair) ?? []), { text, end, rule }]);
    }
  }
}

/** Where the three bytes with the fewest small letters are: those are in every text. */
function rarestStart(anchor: string): number {
  const starts = Array.from({ length: anchor.length - 2 }, (_, start) => start);
  const lettersAt = (start: number) => anchor.slice(start, start + 3).replace(/[^a-z]/g, "").length;
  return starts.reduce((best, start) => (lettersAt(start) < lettersAt(best) ? start : best));
}

function startsWith(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index++)
    if (bytes[at + index] !== text[index]) return false;
  return true;
}

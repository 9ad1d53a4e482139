import { SECRET_CONTENT_RULES, type SecretContentRule } from "./secret-content-rules.js";

/**
 * Larger files are not searched: keys and tokens are in small files, and searching large data would dominate the mount
 * time.
 */
export const MAX_SEARCHED_FILE_BYTES = 1024 * 1024;
/** Only this many bytes from the start of a file are searched. */
export const MAX_SEARCHED_BYTES = 64 * 1024;

/**
 * The kind of secret in a file; `undefined` when none is found. Searches only the start of text files up to the size
 * limit.
 */
export function secretContent(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_SEARCHED_FILE_BYTES) return undefined;
  const searched = bytes.subarray(0, MAX_SEARCHED_BYTES);
  const rules = rulesFor(searched);
  if (rules.size === 0 || searched.includes(0)) return undefined;
  const text = textOf(searched);
  for (const rule of rules) if (holds(text, rule)) return rule.what;
  return undefined;
}

/** Decodes the start of a file with one character per byte, for the patterns. */
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

/**
 * Whether a text can be a real secret. Documentation shows tokens of one repeated character or with a placeholder word.
 */
function isRandom(text: string): boolean {
  return new Set(text).size >= MIN_DIFFERENT_CHARACTERS && !PLACEHOLDER.test(text);
}

/**
 * Finds the rules whose anchors occur in `bytes`. One pass over every second pair of bytes is enough, because any three
 * consecutive bytes contain such a pair. One search per anchor would take longer than reading the files.
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
  /** The index of the pair's second byte in `text`. */
  readonly end: number;
  readonly rule: SecretContentRule;
}

/** 1 for each pair of bytes in `ANCHORS`. */
const PAIRS = new Uint8Array(1 << 16);
/** The anchors, indexed by the two byte pairs in their rarest three bytes. */
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

/** The start of the three bytes with the fewest lowercase letters, because lowercase letters occur in every text. */
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

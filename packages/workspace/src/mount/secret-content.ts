import { hasOnlyCertificates } from "./harmless-content.js";
import type { SecretContentRule } from "./secret-content-rule.js";
import { SECRET_CONTENT_RULES } from "./secret-content-rules.js";

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
  if (isBinaryKey(searched)) return "private key";
  if (isKeyPair(searched)) return "private key";
  const rules = rulesFor(searched);
  if (rules.size === 0 || searched.includes(0)) return undefined;
  const text = textOf(searched);
  for (const rule of rules) if (holds(text, rule)) return rule.what;
  return undefined;
}

function isBinaryKey(bytes: Uint8Array): boolean {
  if (!FIRST_BYTES.has(bytes[0] ?? 0) || !BINARY_KEY.test(textOf(bytes.subarray(0, 32))))
    return false;
  return !hasOnlyCertificates(textOf(bytes));
}

const FIRST_BYTES = new Set([0x30, 0x3d, 0xfe, 0xce, 0x03, 0x94, 0x95, 0xc5]);
/**
 * The first bytes of key files in binary formats: PKCS #8, PKCS #1 and SEC 1 keys in DER, PKCS #12, Java key stores whose
 * first entry is a private key, KeePass databases and OpenPGP secret keys.
 */
const BINARY_KEY = new RegExp(
  [
    "0\\x82..\\x02\\x01\\0(?:0.\\x06|\\x02\\x82)",
    "0.\\x02\\x01\\0(?:0.)\\x06",
    "0\\x81.\\x02\\x01\\0(?:0.)\\x06",
    "0\\x82..0.\\x06\\x09\\x2a\\x86\\x48\\x86\\xf7\\x0d\\x01\\x05",
    "0w\\x02\\x01\\x01\\x04 ",
    "0(?:\\x82..|\\x80)\\x02\\x01\\x030[\\x80\\x82]",
    "(?:\\xfe\\xed\\xfe\\xed|\\xce\\xce\\xce\\xce)\\0{3}[\\x01\\x02].{4}\\0{3}\\x01",
    "== ed25519v1-secret",
    "\\x03\\xd9\\xa2\\x9a[\\x65\\x67]\\xfb",
    "(?:\\x94.|\\x95..|\\xc5.{1,3})\\x04.{4}[\\x01\\x10-\\x16\\x19\\x1b]",
  ]
    .map((start) => `^${start}`)
    .join("|"),
  "s",
);

/** Whether the file is a list of 64 random bytes in JSON, as Solana stores a key pair. */
function isKeyPair(bytes: Uint8Array): boolean {
  if (bytes[0] !== 0x5b || bytes.length < 150 || bytes.length > 1_000) return false;
  const text = textOf(bytes).trim();
  if (!/^\[[\d,\s]+\]$/.test(text)) return false;
  const numbers = text.slice(1, -1).split(",").map(Number);
  const isByte = numbers.every((each) => each < 256);
  return (
    numbers.length === 64 && isByte && Math.max(...numbers) > 200 && new Set(numbers).size > 44
  );
}

/** Decodes the start of a file with one character per byte, for the patterns. */
export function textOf(bytes: Uint8Array): string {
  const { buffer, byteOffset, length } = bytes.subarray(0, MAX_SEARCHED_BYTES);
  return Buffer.from(buffer, byteOffset, length).toString("latin1");
}

function holds(text: string, { pattern, confirm }: SecretContentRule): boolean {
  for (const match of text.matchAll(pattern)) {
    const [secret = match[0]] = match.slice(1).filter((group) => group !== undefined);
    if (isRandom(secret) && (confirm?.(secret) ?? true)) return true;
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
  const { buffer, byteOffset, length } = bytes;
  if (length < 3) return NO_RULES;
  let found: Set<SecretContentRule> | undefined;
  // Two bytes at a time. They must start at an even address, so the pairs may be one byte further on.
  const skew = byteOffset & 1;
  const pairs = new Uint16Array(buffer, byteOffset + skew, (length - skew) >> 1);
  for (let index = 0; index < pairs.length; index++) {
    const pair = pairs[index] as number;
    if (PAIRS[pair] === 0) continue;
    const at = index * 2 + skew + 1;
    if (WINDOWS[windowAt(bytes, at - 1)] === 0 && WINDOWS[windowAt(bytes, at - 2)] === 0) continue;
    for (const { text, end, rule } of ANCHORS.get(pair) ?? []) {
      if (!startsWith(bytes, at - end, text)) continue;
      found ??= new Set();
      found.add(rule);
    }
  }
  return found ?? NO_RULES;
}

const NO_RULES: ReadonlySet<SecretContentRule> = new Set();

interface Anchor {
  readonly text: Uint8Array;
  /** The index of the pair's second byte in `text`. */
  readonly end: number;
  readonly rule: SecretContentRule;
}

/** A pair as `Uint16Array` reads it, in the byte order of this machine. */
function pairOf(first: number, second: number): number {
  return new Uint16Array(Uint8Array.of(first, second).buffer)[0] ?? 0;
}

/** 1 for each pair of bytes in `ANCHORS`. */
const PAIRS = new Uint8Array(1 << 16);
/** 1 for the hash of the rarest three bytes of each anchor. Most pairs of bytes are in ordinary words too. */
const WINDOWS = new Uint8Array(1 << 16);
/** The anchors, indexed by the two byte pairs in their rarest three bytes. */
const ANCHORS = new Map<number, Anchor[]>();
for (const rule of SECRET_CONTENT_RULES) {
  for (const anchor of rule.anchors) {
    const text = new TextEncoder().encode(anchor);
    const start = rarestStart(anchor);
    WINDOWS[windowAt(text, start)] = 1;
    for (const end of [start + 1, start + 2]) {
      const pair = pairOf(text[end - 1] ?? 0, text[end] ?? 0);
      PAIRS[pair] = 1;
      ANCHORS.set(pair, [...(ANCHORS.get(pair) ?? []), { text, end, rule }]);
    }
  }
}

function windowAt(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8)) ^ ((bytes[at + 2] ?? 0) << 4);
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

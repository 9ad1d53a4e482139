// Three patterns: known key prefixes, a value after a word such as `token`, and any long mixed
// string. Repetitions before a condition are bounded, so that matching takes linear time.
const KEYS = [
  /\b(?:[spr]k|gsk|xai|hf|nvapi|pplx)[-_][\w.*~+/=-]{6,}|\bAIza[\w*-]{6,}/gi,
  /\b(?:key|token|Bearer|Basic)[-_:= ]{1,8}(?=\S{0,256}[\d*])[\w.*~+/=-]{6,}/gi,
  /\b(?=[\w-]{0,256}\d)(?=[\w-]{0,256}[a-z])[\w-]{32,}/gi,
];
/** A shorter secret could match parts of ordinary words. */
const MIN_SECRET = 6;
const SEPARATOR = /\s/;

export interface WithoutKeysOptions {
  /** Maximum length of the returned text. */
  readonly maxCharacters: number;
  /** Known keys, whatever they look like. */
  readonly secrets: readonly string[];
}

/**
 * Returns the start of a foreign text, with `[key]` instead of everything that is or looks like a
 * key.
 */
export function withoutKeys(text: string, { maxCharacters, secrets }: WithoutKeysOptions): string {
  // Longer than the result and cut at a word, so that no key is cut before it is recognised.
  const head = wholeWords(text, 4 * maxCharacters);
  const unknown = secrets
    .filter(({ length }) => length >= MIN_SECRET)
    .reduce((left, secret) => left.replaceAll(secret, "[key]"), head);
  const clean = KEYS.reduce((left, key) => left.replaceAll(key, "[key]"), unknown);
  return clean.slice(0, maxCharacters);
}

function wholeWords(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text;
  let end = maxCharacters;
  while (end > 0 && !SEPARATOR.test(text.charAt(end))) end--;
  return text.slice(0, end);
}

// As providers begin them; after a word that announces one; and whatever is as long and as mixed as one.
const KEYS = [
  /\b(?:[spr]k|gsk|xai|hf|nvapi|pplx)[-_][\w.*~+/=-]{6,}|\bAIza[\w*-]{6,}/gi,
  /\b(?:key|token|Bearer|Basic)[-_:= ]+(?=\S*[\d*])[\w.*~+/=-]{6,}/gi,
  /\b(?=[\w-]*\d)(?=[\w-]*[a-z])[\w-]{32,}/gi,
];
/** A shorter secret would be found inside ordinary words. */
const MIN_SECRET = 6;
const SEPARATOR = /\s/;

export interface WithoutKeysOptions {
  /** The most characters that are returned. */
  readonly maxCharacters: number;
  /** Keys that are known, whatever they look like. */
  readonly secrets: readonly string[];
}

/** The beginning of a foreign text, with `[key]` in place of everything that is a key or looks like one. */
export function withoutKeys(text: string, { maxCharacters, secrets }: WithoutKeysOptions): string {
  // More than is returned, and whole words, so that no key is cut before it is recognised.
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

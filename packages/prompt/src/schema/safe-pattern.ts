const MAX_PATTERN_CHARACTERS = 300;

/** Escapes and classes, from left to right. Each matches one character, so it cannot make a match slow. */
const ATOMS = /\\(?:[pPu]\{[^}]*\}|[\s\S])|\[(?:\\[\s\S]|[^\]\\])*\]/g;

/**
 * The maximum number of steps that V8 needs to search a text of `length` characters for a foreign regular expression.
 * Returns `undefined` if the number is not known; such a pattern must not run.
 *
 * It is known for a pattern with at most one unlimited repeat and at most two choices (repeats, `?`, `|`) in all,
 * without repeated groups, look-around and back references.
 */
export function patternSteps(pattern: unknown, length: number): number | undefined {
  if (typeof pattern !== "string" || pattern.length > MAX_PATTERN_CHARACTERS) return undefined;
  if ((pattern.match(ATOMS) ?? []).some((atom) => /^\\[1-9k]/.test(atom))) return undefined;
  const structure = pattern.replaceAll(ATOMS, "x");
  if (/\\|\(\?(?!:)|\)[*+?{]|\{(?!\d{1,3}(?:,\d{0,3})?\})/.test(structure)) return undefined;
  const repeats = structure.match(/[*+]|\{\d+,\}/g) ?? [];
  const choices = structure.match(/[*+?{|]/g) ?? [];
  if (repeats.length > 1 || choices.length > 2) return undefined;
  const isAnchored = structure.startsWith("^") && !structure.includes("|");
  // Each choice may be tried again for each length of the repeat. `{n}` compares up to 999 characters again.
  const again = choices.length > 1 || structure.includes("{") ? 1_000 : 2;
  const starts = isAnchored ? 1 : length + 1;
  return starts * (repeats.length > 0 ? length + pattern.length : pattern.length) * again;
}

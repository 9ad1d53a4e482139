const MAX_PATTERN_CHARACTERS = 300;
const MAX_REPEATS = 3;

/**
 * Whether a foreign regular expression can only take polynomial time of a low degree: no back reference, no look-around, no
 * repeated group with a repeat or a choice inside, and few repeats.
 */
export function isSafePattern(pattern: unknown): boolean {
  if (typeof pattern !== "string" || pattern.length > MAX_PATTERN_CHARACTERS) return false;
  // Without escapes and classes, the rest is structure. A class counts as one character.
  const structure = pattern
    .replaceAll(/\\[pP]\{[^}]*\}/g, "x")
    .replaceAll(/\\[1-9k]/g, "(?!")
    .replaceAll(/\\./gs, "x")
    .replaceAll(/\[(?:[^\]])*\]/g, "x");
  if (/\(\?[^:]/.test(structure)) return false;
  const repeats = structure.match(/[*+]|\{\d+,\d*\}/g) ?? [];
  if (repeats.length > MAX_REPEATS) return false;
  // A repeated group is safe only if it has neither a repeat nor a choice inside.
  return !/\([^()]*[*+?{|][^()]*\)[*+?{]|\)[^()]*\)[*+{]/.test(structure);
}

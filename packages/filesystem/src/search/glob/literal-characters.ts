/** Characters after which a parenthesis opens an extended glob. */
const EXTENDED = "?*+@!";

export interface PreparedPattern {
  /** The pattern for picomatch, with a backslash before every literal bracket. */
  readonly text: string;
  /** How many braces and extended globs it opens. */
  readonly groups: number;
  /** How deep they are nested. */
  readonly depth: number;
}

/**
 * Escapes characters that are part of a file name and not syntax: parentheses that do not open an extended glob, as in
 * `app/(group)/page.tsx`, and unpaired brackets. picomatch would treat the first as groups and refuse some of the second.
 */
export function escapeLiterals(pattern: string): PreparedPattern {
  const parts = [...pattern];
  const open: { readonly index: number; readonly closes: string }[] = [];
  let groups = 0;
  let depth = 0;
  const classEnds = findClassEnds(parts);
  for (let index = 0; index < parts.length; index++) {
    const character = parts[index] ?? "";
    const classEnd = character === "[" ? classEnds[index] : undefined;
    if (classEnd !== undefined) index = classEnd;
    else if (character === "{" || (character === "(" && isExtended(parts, index))) {
      open.push({ index, closes: character === "{" ? "}" : ")" });
      groups++;
      depth = Math.max(depth, open.length);
    } else if (character === "(") parts[index] = "\\(";
    else if (character === "}" || character === ")") closeGroup(parts, index, open);
  }
  for (const { index } of open) parts[index] = `\\${parts[index]}`;
  return { text: parts.join(""), groups, depth };
}

function isExtended(parts: readonly string[], index: number): boolean {
  const before = parts[index - 1];
  return before !== undefined && before !== "" && EXTENDED.includes(before);
}

function closeGroup(
  parts: string[],
  index: number,
  open: { readonly index: number; readonly closes: string }[],
): void {
  if (open.at(-1)?.closes === parts[index]) open.pop();
  else parts[index] = `\\${parts[index]}`;
}

/** For each `[` that opens a class, where the class ends. Found from the right, so that many `[` cost one pass. */
function findClassEnds(parts: readonly string[]): readonly (number | undefined)[] {
  const ends: (number | undefined)[] = [];
  let next: number | undefined;
  let afterNext: number | undefined;
  for (let index = parts.length - 1; index >= 0; index--) {
    if (parts[index] === "]") {
      afterNext = next;
      next = index;
    } else if (parts[index] === "[") {
      const negation = parts[index + 1] === "!" || parts[index + 1] === "^" ? 1 : 0;
      // A `]` that comes first is a member of the class.
      const isMember = next === index + 1 + negation;
      ends[index] = isMember ? afterNext : next;
    }
  }
  return ends;
}

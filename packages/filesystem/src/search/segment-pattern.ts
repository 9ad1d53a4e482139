import {
  type CharacterClass,
  classHolds,
  findClassEnd,
  parseClass,
  unitsOf,
} from "./character-class.js";

/** Matches one path segment, given by where it stands in the path so that nothing is cut out of it. */
export type SegmentTest = (path: string, start: number, end: number) => boolean;

/** What one segment of a pattern asks of one segment of a path. */
export type SegmentPattern =
  | { readonly kind: "any"; readonly test: SegmentTest }
  | { readonly kind: "literal"; readonly text: string; readonly test: SegmentTest }
  /** A single star between two texts, either of which may be empty. */
  | {
      readonly kind: "ends";
      readonly prefix: string;
      readonly suffix: string;
      readonly test: SegmentTest;
    }
  | { readonly kind: "general"; readonly test: SegmentTest };

/** `undefined` when a range of a class runs backwards. */
export function compileSegment(text: string): SegmentPattern | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined) return undefined;
  if (tokens.some((token) => token === ANY || typeof token === "object"))
    return { kind: "general", test: testTokens(tokens) };

  const [prefix = "", ...others] = text.split(/\*+/);
  const suffix = others.pop();
  if (suffix === undefined) return { kind: "literal", text, test: testLiteral(text) };
  if (others.length > 0) return { kind: "general", test: testChunks(prefix, others, suffix) };
  if (prefix === "" && suffix === "") return { kind: "any", test: () => true };
  return { kind: "ends", prefix, suffix, test: testEnds(prefix, suffix) };
}

function testLiteral(text: string): SegmentTest {
  return (path, start, end) => end - start === text.length && path.startsWith(text, start);
}

function testEnds(prefix: string, suffix: string): SegmentTest {
  const least = prefix.length + suffix.length;
  return (path, start, end) =>
    end - start >= least &&
    path.startsWith(prefix, start) &&
    path.startsWith(suffix, end - suffix.length);
}

/** Texts with stars between them: each is met as early as possible after the one before. */
function testChunks(prefix: string, chunks: readonly string[], suffix: string): SegmentTest {
  const fits = testEnds(prefix, suffix);
  return (path, start, end) => {
    if (!fits(path, start, end)) return false;
    const last = end - suffix.length;
    let position = start + prefix.length;
    for (const chunk of chunks) {
      const found = path.indexOf(chunk, position);
      position = found + chunk.length;
      if (found < 0 || position > last) return false;
    }
    return true;
  };
}

const STAR = -1;
const ANY = -2;

/** A code unit to be met as it is, {@link STAR}, {@link ANY} or a class. */
type Token = number | CharacterClass;

function tokenize(text: string): readonly Token[] | undefined {
  const tokens: Token[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    const classEnd = character === "[" ? findClassEnd(text, index) : -1;
    if (classEnd >= 0) {
      const members = parseClass(text, index, classEnd);
      if (members === undefined) return undefined;
      tokens.push(members);
      index = classEnd;
    } else if (character === "?") tokens.push(ANY);
    else if (character !== "*") tokens.push(text.charCodeAt(index));
    else if (tokens.at(-1) !== STAR) tokens.push(STAR);
  }
  return tokens;
}

/**
 * Two pointers: on a mismatch the last star takes one character more. Earlier stars need not be tried
 * again, because what stood between two stars was met as early as possible.
 */
function testTokens(tokens: readonly Token[]): SegmentTest {
  const least = tokens.filter((token) => token !== STAR).length;
  return (path, start, end) => {
    if (end - start < least) return false;
    let position = start;
    let index = 0;
    let afterStar = -1;
    let starEnd = start;
    while (position < end) {
      const token = tokens[index];
      if (token === STAR) {
        afterStar = ++index;
        starEnd = position;
        if (afterStar === tokens.length) return true;
        continue;
      }
      const taken = token === undefined ? 0 : unitsTaken(token, path, position);
      if (taken > 0) {
        position += taken;
        index++;
      } else if (afterStar < 0) {
        return false;
      } else {
        starEnd += unitsAt(path, starEnd);
        position = starEnd;
        index = afterStar;
      }
    }
    if (tokens[index] === STAR) index++;
    return index === tokens.length;
  };
}

/** How far one token reaches from `position`; 0 when it does not match there. */
function unitsTaken(token: Token, path: string, position: number): number {
  if (typeof token === "object") {
    const codePoint = path.codePointAt(position) ?? 0;
    return classHolds(token, codePoint) ? unitsOf(codePoint) : 0;
  }
  if (token === ANY) return unitsAt(path, position);
  return path.charCodeAt(position) === token ? 1 : 0;
}

/** A character is never split, or `*[!😀]` would match the second half of that very one. */
function unitsAt(path: string, position: number): 1 | 2 {
  return unitsOf(path.codePointAt(position) ?? 0);
}

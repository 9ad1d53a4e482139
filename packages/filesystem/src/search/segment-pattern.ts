import {
  type CharacterClass,
  ClassEnds,
  classHolds,
  parseClass,
  unitsOf,
} from "./character-class.js";
import type { MatchMeter } from "./match-meter.js";

/** Matches one path segment, given by where it stands in the path so that nothing is cut out of it. */
export type SegmentTest = (path: string, start: number, end: number) => boolean;

/** What one segment of a pattern asks of one segment of a path. */
export interface SegmentPattern {
  /** `ends` has a single star between two texts, either of which may be empty. Only `general` ones count their steps. */
  readonly kind: "any" | "literal" | "ends" | "general";
  /** What every match starts with. */
  readonly head: string;
  /** What every match ends with. */
  readonly tail: string;
  readonly test: SegmentTest;
}

/** `undefined` when a range of a class runs backwards. */
export function compileSegment(text: string, meter: MatchMeter): SegmentPattern | undefined {
  const tokens = tokenize(text);
  if (tokens === undefined) return undefined;
  if (tokens.some((token) => token === ANY || typeof token === "object"))
    return compileTokens(tokens, meter);

  const [head = "", ...others] = text.split(/\*+/);
  const tail = others.pop();
  if (tail === undefined) return { kind: "literal", head, tail: head, test: testLiteral(head) };
  if (others.length > 0)
    return { kind: "general", head, tail, test: testChunks(head, others, tail, meter) };
  if (head === "" && tail === "") return { kind: "any", head, tail, test: () => true };
  return { kind: "ends", head, tail, test: testEnds(head, tail) };
}

function testLiteral(text: string): SegmentTest {
  return (path, start, end) => end - start === text.length && path.startsWith(text, start);
}

function testEnds(head: string, tail: string): SegmentTest {
  const least = head.length + tail.length;
  return (path, start, end) =>
    end - start >= least &&
    path.startsWith(head, start) &&
    path.startsWith(tail, end - tail.length);
}

/** Looking for a text takes as long as so many steps, and at worst one more for every second character. */
const STEPS_PER_CHUNK = 4;
const CHARACTERS_PER_STEP_LOG2 = 1;

/** Texts with stars between them: each is met as early as possible after the one before. */
function testChunks(
  head: string,
  chunks: readonly string[],
  tail: string,
  meter: MatchMeter,
): SegmentTest {
  const fits = testEnds(head, tail);
  return (path, start, end) => {
    if (!fits(path, start, end)) return false;
    const last = end - tail.length;
    // So that nothing is looked for beyond the segment.
    const text = end === path.length ? path : path.slice(0, end);
    let position = start + head.length;
    for (const chunk of chunks) {
      const found = text.indexOf(chunk, position);
      const looked = (found < 0 ? end : found + chunk.length) - position;
      meter.left -= STEPS_PER_CHUNK + (looked >> CHARACTERS_PER_STEP_LOG2);
      position += looked;
      if (found < 0 || position > last || meter.left < 0) return false;
    }
    return true;
  };
}

const STAR = -1;
const ANY = -2;

/** A code unit to be met as it is, {@link STAR}, {@link ANY} or a class. */
type Token = number | CharacterClass;

function tokenize(text: string): readonly Token[] | undefined {
  const classes = new ClassEnds(text);
  const tokens: Token[] = [];
  for (let index = 0; index < text.length; index++) {
    const character = text[index];
    const classEnd = character === "[" ? classes.find(index) : -1;
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

function compileTokens(tokens: readonly Token[], meter: MatchMeter): SegmentPattern {
  const head = literalRun(tokens, 0, 1);
  const tail = literalRun(tokens, tokens.length - 1, -1);
  const least = tokens.filter((token) => token !== STAR).length;
  const runs = testTokens(tokens, meter);
  const test: SegmentTest = (path, start, end) =>
    end - start >= least &&
    path.startsWith(head, start) &&
    path.startsWith(tail, end - tail.length) &&
    runs(path, start, end);
  return { kind: "general", head, tail, test };
}

/** The text that the tokens stand for from `start` on in one direction, up to one that is no character. */
function literalRun(tokens: readonly Token[], start: number, direction: 1 | -1): string {
  let text = "";
  for (let index = start; ; index += direction) {
    const token = tokens[index];
    if (typeof token !== "number" || token < 0) return text;
    const unit = String.fromCharCode(token);
    text = direction > 0 ? text + unit : unit + text;
  }
}

/**
 * Two pointers: on a mismatch the last star takes one character more. Earlier stars need not be tried
 * again, because what stood between two stars was met as early as possible.
 */
function testTokens(tokens: readonly Token[], meter: MatchMeter): SegmentTest {
  return (path, start, end) => {
    let left = meter.left;
    let position = start;
    let index = 0;
    let afterStar = -1;
    let starEnd = start;
    while (position < end && --left >= 0) {
      const token = tokens[index];
      if (token === STAR) {
        afterStar = ++index;
        starEnd = position;
        if (afterStar === tokens.length) position = end;
        continue;
      }
      if (typeof token === "object") left -= token.ranges.length >> RANGES_PER_STEP_LOG2;
      const taken = token === undefined ? 0 : unitsTaken(token, path, position);
      if (taken > 0) {
        position += taken;
        index++;
      } else if (afterStar < 0) {
        break;
      } else {
        starEnd += unitsAt(path, starEnd);
        position = starEnd;
        index = afterStar;
      }
    }
    meter.left = left;
    if (tokens[index] === STAR) index++;
    return position >= end && index === tokens.length;
  };
}

/** Each range is two numbers; four of them are looked at in one step. */
const RANGES_PER_STEP_LOG2 = 3;

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

import { compareLines } from "./compare-lines.js";
import { formatHunks, splitLines } from "./unified-diff.js";

/** The place in a file that is most like a text that is not in it. */
export interface NearMiss {
  /** Counted from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** What alone keeps it from matching, where that can be told. */
  readonly difference: string | undefined;
  /** `-` is the file, `+` the text that was looked for. */
  readonly diff: string;
}

const MOST_FILE_CHARACTERS = 1_000_000;
const MOST_LINES_SOUGHT = 200;
const LEAST_LIKENESS = 0.5;

/**
 * Finds what the model most likely meant. It is shown and never applied: an edit
 * in nearly the right place is worse than none.
 */
export function findNearMiss(text: string, sought: string): NearMiss | undefined {
  if (text.length > MOST_FILE_CHARACTERS) return undefined;
  const lines = splitLines(text);
  const wanted = splitLines(sought);
  if (wanted.length > MOST_LINES_SOUGHT || lines.length === 0) return undefined;
  const start = closestStart(lines, wanted);
  if (start === undefined) return undefined;
  const found = lines.slice(start, start + wanted.length);
  return {
    firstLine: start + 1,
    lastLine: start + found.length,
    difference: nameDifference(found.join(""), sought),
    diff: formatHunks(found, compareLines(found, wanted)).replace(/^@@.*@@\n/gm, ""),
  };
}

/** Where most lines are the same but for white space and the form of characters; else where one line is much alike. */
function closestStart(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const plain = lines.map(normalize);
  const target = wanted.map(normalize);
  const telling = target.filter((line) => line.length > 2);
  if (telling.length === 0) return undefined;
  let best = { start: 0, score: 0 };
  for (let start = 0; start < plain.length; start++) {
    let score = 0;
    for (const [index, line] of target.entries())
      if (line.length > 2 && plain[start + index] === line) score++;
    if (score > best.score) best = { start, score };
  }
  return best.score > 0 ? best.start : mostAlike(plain, target);
}

function mostAlike(plain: readonly string[], target: readonly string[]): number | undefined {
  const longest = target.reduce((one, other) => (other.length > one.length ? other : one), "");
  const pairs = pairsOf(longest);
  let best = { line: 0, likeness: 0 };
  for (const [line, text] of plain.entries()) {
    // A line of a very different length cannot be alike enough.
    if (text.length * 4 < longest.length) continue;
    const isIn = text.toLowerCase().includes(longest.toLowerCase());
    const likeness = isIn ? 1 : likenessOf(pairs, pairsOf(text));
    if (likeness > best.likeness) best = { line, likeness };
  }
  if (best.likeness < LEAST_LIKENESS) return undefined;
  return Math.max(0, best.line - target.indexOf(longest));
}

const LONGEST_LINE_COMPARED = 400;

function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  const end = Math.min(text.length, LONGEST_LINE_COMPARED) - 1;
  for (let index = 0; index < end; index++) pairs.add(text.slice(index, index + 2));
  return pairs;
}

/** The share of pairs of letters that two texts have in common. */
function likenessOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared++;
  return (2 * shared) / (one.size + other.size);
}

function normalize(line: string): string {
  return straightenQuotes(line.normalize("NFKC")).replace(/\s+/g, " ").trim();
}

function straightenQuotes(text: string): string {
  return text.replace(/[\u2018\u2019]/g, "'").replace(/[\u201c\u201d]/g, '"');
}

/** The first of these that, left aside, makes the sought text occur. */
function nameDifference(found: string, sought: string): string | undefined {
  const lineEnds = (text: string) => text.replaceAll("\r\n", "\n");
  const trailing = (text: string) => lineEnds(text).replace(/[ \t]+$/gm, "");
  const spaces = (text: string) => text.replace(/\s+/g, "");
  if (lineEnds(found).includes(lineEnds(sought))) return "line ends: the file has \\r\\n";
  if (trailing(found).includes(trailing(sought).trimEnd()))
    return "white space at the end of lines";
  if (spaces(found).includes(spaces(sought))) return "white space";
  const composed = (text: string) => spaces(text.normalize("NFC"));
  if (composed(found).includes(composed(sought))) return "the Unicode form of characters";
  const plain = (text: string) => spaces(straightenQuotes(text.normalize("NFKC")));
  if (plain(found).includes(plain(sought))) return "quotation marks or other look-alike characters";
  const folded = (text: string) => plain(text).toLowerCase();
  if (folded(found).includes(folded(sought))) return "capital and small letters";
  return undefined;
}

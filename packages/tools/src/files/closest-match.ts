import { diffText } from "@wink/filesystem";
import { splitLines } from "../reply/split-lines.js";
import type { StepCounter } from "../reply/step-counter.js";
import { includesText } from "./byte-edits.js";
import { nameDifference, straightenQuotes } from "./name-difference.js";

/** The place in a file that is most similar to a text that was not found. */
export interface ClosestMatch {
  /** Line number, from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
  /** The single difference that prevents a match, if there is one. */
  readonly difference: string | undefined;
  /** `-` is the file, `+` is the sought text. */
  readonly diff: string;
}

const MAX_FILE_CHARACTERS = 1_000_000;
const MAX_FILE_LINES = 200_000;
const MAX_LINES_SOUGHT = 200;
const MIN_SIMILARITY = 0.5;
/** Longer lines are not normalized, because NFKC can make a line 18 times as long. */
const MAX_NORMALIZED_CHARACTERS = 50_000;
const MAX_NORMALIZED_GROWTH = 3;
/** Limits the work for a file of equal lines, where each line can match every sought line. */
const MAX_LINE_MATCHES = 1_000_000;

/**
 * Finds the place that the model most likely meant. It is only shown and never applied, because an edit
 * at a wrong place is worse than no edit. `unsearched` means that the texts are too long.
 *
 * Both texts may be hostile, so the work is linear in their lengths and yields as `steps` requires.
 */
export async function findClosestMatch(
  text: string,
  sought: string,
  steps: StepCounter,
): Promise<ClosestMatch | "unsearched" | undefined> {
  if (text.length > MAX_FILE_CHARACTERS) return "unsearched";
  const lines = splitLines(text);
  const wanted = splitLines(sought);
  if (lines.length > MAX_FILE_LINES || wanted.length > MAX_LINES_SOUGHT) return "unsearched";
  if (lines.length === 0) return undefined;
  const start = await closestStart(lines, wanted, steps);
  if (start === undefined) return undefined;
  const found = lines.slice(start, start + wanted.length);
  return {
    firstLine: start + 1,
    lastLine: start + found.length,
    difference: await nameDifference(found.join(""), sought, steps),
    // Without the headers, because the lines of the sought text have no numbers.
    diff: (await diffText(found.join(""), sought)).replace(/^@@.*@@\n/gm, ""),
  };
}

/** The line from which most lines are equal, ignoring white space and Unicode form. If no line is equal, the place of one very similar line. */
async function closestStart(
  lines: readonly string[],
  wanted: readonly string[],
  steps: StepCounter,
): Promise<number | undefined> {
  const target = wanted.map(normalize);
  const placesOf = new Map<string, number[]>();
  for (const [index, line] of target.entries()) {
    if (line.length <= 2) continue;
    const places = placesOf.get(line);
    if (places === undefined) placesOf.set(line, [index]);
    else places.push(index);
  }
  if (placesOf.size === 0) return undefined;

  const plain: string[] = [];
  const scores = new Int32Array(lines.length);
  let matches = 0;
  for (const [line, text] of lines.entries()) {
    const normalized = normalize(text);
    plain.push(normalized);
    const places = matches < MAX_LINE_MATCHES ? (placesOf.get(normalized) ?? []) : [];
    for (const place of places) if (line >= place) scores[line - place]! += 1;
    matches += places.length;
    if (steps.spend(stepsFor(text) + places.length)) await steps.pause();
  }
  let best = 0;
  for (const [start, score] of scores.entries()) if (score > (scores[best] ?? 0)) best = start;
  return (scores[best] ?? 0) > 0 ? best : await mostSimilar(plain, target, steps);
}

/** Each line has a fixed cost, and a cost per character. */
function stepsFor(line: string): number {
  return 100 + 10 * line.length;
}

async function mostSimilar(
  plain: readonly string[],
  target: readonly string[],
  steps: StepCounter,
): Promise<number | undefined> {
  const longest = target.reduce((one, other) => (other.length > one.length ? other : one), "");
  const folded = longest.toLowerCase();
  const pairs = pairsOf(longest);
  let best = { line: 0, similarity: 0 };
  for (const [line, text] of plain.entries()) {
    // A line of a very different length cannot be similar enough.
    if (text.length * 4 < longest.length) continue;
    if (steps.spend(stepsFor(text))) await steps.pause();
    const isIn = await includesFolded(text, folded, steps);
    const similarity = isIn ? 1 : similarityOf(pairs, pairsOf(text));
    if (similarity > best.similarity) best = { line, similarity };
    if (similarity === 1) break;
  }
  if (best.similarity < MIN_SIMILARITY) return undefined;
  return Math.max(0, best.line - target.indexOf(longest));
}

/** Up to this length `includes` is fast for any text. */
const MAX_QUICK_CHARACTERS = 64;

function includesFolded(text: string, folded: string, steps: StepCounter) {
  if (text.length < folded.length) return false;
  const lower = text.toLowerCase();
  if (folded.length <= MAX_QUICK_CHARACTERS) return lower.includes(folded);
  return includesText(lower, folded, steps);
}

const MAX_LINE_COMPARED = 400;

function pairsOf(text: string): ReadonlySet<string> {
  const pairs = new Set<string>();
  const end = Math.min(text.length, MAX_LINE_COMPARED) - 1;
  for (let index = 0; index < end; index++) pairs.add(text.slice(index, index + 2));
  return pairs;
}

/** The similarity of two texts: the share of their character pairs that both contain (Dice coefficient). */
function similarityOf(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  if (one.size === 0 || other.size === 0) return 0;
  let shared = 0;
  for (const pair of one) if (other.has(pair)) shared++;
  return (2 * shared) / (one.size + other.size);
}

function normalize(line: string): string {
  if (line.length > MAX_NORMALIZED_CHARACTERS) return line;
  const compatible = line.normalize("NFKC");
  const isLarge = compatible.length > MAX_NORMALIZED_GROWTH * line.length + 100;
  return straightenQuotes(isLarge ? line : compatible)
    .replace(/\s+/g, " ")
    .trim();
}

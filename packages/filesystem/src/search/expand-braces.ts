import { type BraceGroup, findBraceGroups } from "./brace-groups.js";
import { type CompileGlobOptions, globError } from "./glob-syntax.js";

const MAX_ALTERNATIVES = 1_000;
/** Over all alternatives: it bounds what they take to compile and to keep. What a match takes is counted. */
const MAX_EXPANDED_CHARACTERS = 65_536;
const MAX_NESTING = 20;

/**
 * Every pattern that the braces of `pattern` stand for, as a shell lists them, but each only once.
 *
 * Braces without a comma or a range, and braces without their partner, stand for themselves.
 */
export function expandBraces(pattern: string, options: CompileGlobOptions): readonly string[] {
  if (!pattern.includes("{")) return [pattern];
  const expanded = expand(pattern, 0);
  if (expanded === undefined)
    throw globError(
      pattern,
      options,
      `pattern too complex; its braces may stand for at most ${MAX_ALTERNATIVES} patterns, ` +
        `${MAX_EXPANDED_CHARACTERS} characters in all`,
    );
  return [...new Set(expanded)];
}

/** `undefined` when there are too many. */
function expand(text: string, nesting: number): readonly string[] | undefined {
  if (nesting > MAX_NESTING) return undefined;
  let heads: readonly string[] | undefined = [""];
  let index = 0;
  for (const group of findBraceGroups(text, (each) => isChoice(text, each))) {
    const choices = expandGroup(text, group, nesting);
    if (choices === undefined) return undefined;
    heads = combine(heads, text.slice(index, group.open), choices);
    if (heads === undefined) return undefined;
    index = group.close + 1;
  }
  return combine(heads, text.slice(index), [""]);
}

function isChoice(text: string, { open, commas, close }: BraceGroup): boolean {
  return commas.length > 0 || RANGE.test(text.slice(open + 1, close));
}

function expandGroup(
  text: string,
  { open, commas, close }: BraceGroup,
  nesting: number,
): readonly string[] | undefined {
  const starts = [open, ...commas].map((position) => position + 1);
  const pieces = starts.map((start, index) => text.slice(start, commas[index] ?? close));
  const range = commas.length === 0 ? RANGE.exec(pieces[0] ?? "") : null;
  return range === null ? expandEach(pieces, nesting + 1) : listRange(range);
}

function expandEach(pieces: readonly string[], nesting: number): readonly string[] | undefined {
  const choices: string[] = [];
  for (const piece of pieces) {
    const expanded = expand(piece, nesting);
    if (expanded === undefined || choices.length + expanded.length > MAX_ALTERNATIVES)
      return undefined;
    choices.push(...expanded);
  }
  return choices;
}

function combine(
  heads: readonly string[],
  literal: string,
  tails: readonly string[],
): readonly string[] | undefined {
  if (heads.length * tails.length > MAX_ALTERNATIVES) return undefined;
  const combined: string[] = [];
  let characters = 0;
  for (const head of heads)
    for (const tail of tails) {
      const whole = head + literal + tail;
      characters += whole.length;
      if (characters > MAX_EXPANDED_CHARACTERS) return undefined;
      combined.push(whole);
    }
  return combined;
}

const RANGE = /^(?:(-?\d{1,9})\.\.(-?\d{1,9})|([a-zA-Z])\.\.([a-zA-Z]))$/;

function listRange(range: RegExpExecArray): readonly string[] | undefined {
  const [, from, to, firstLetter, lastLetter] = range;
  if (from !== undefined && to !== undefined) {
    // As in a shell: {01..10} keeps its leading zeros.
    const padded = /^-?0\d/.test(from) || /^-?0\d/.test(to);
    const width = padded ? Math.max(from.length, to.length) : 0;
    return count(Number(from), Number(to))?.map((value) => pad(value, width));
  }
  // The expression matched its second form, so both letters are there.
  const [first, last] = [firstLetter ?? "", lastLetter ?? ""];
  return count(first.charCodeAt(0), last.charCodeAt(0))?.map((code) => String.fromCharCode(code));
}

/** From one number to the other, up or down. */
function count(from: number, to: number): readonly number[] | undefined {
  const length = Math.abs(to - from) + 1;
  if (length > MAX_ALTERNATIVES) return undefined;
  const step = to < from ? -1 : 1;
  return Array.from({ length }, (_, index) => from + index * step);
}

function pad(value: number, width: number): string {
  const digits = String(Math.abs(value));
  return value < 0 ? `-${digits.padStart(width - 1, "0")}` : digits.padStart(width, "0");
}

import { findClassEnd } from "./character-class.js";
import { type CompileGlobOptions, globError } from "./glob-syntax.js";

const MAX_ALTERNATIVES = 1_000;
/** Over all alternatives; it bounds what one path can cost to match. */
const MAX_EXPANDED_CHARACTERS = 65_536;
const MAX_NESTING = 20;

/**
 * Every pattern that the braces of `pattern` stand for, as a shell lists them.
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
      `pattern too complex; its braces may stand for at most ${MAX_ALTERNATIVES} patterns`,
    );
  return expanded;
}

/** `undefined` when there are too many. */
function expand(text: string, nesting: number): readonly string[] | undefined {
  if (nesting > MAX_NESTING) return undefined;
  let heads: readonly string[] = [""];
  let literalStart = 0;
  let index = 0;
  while (index < text.length) {
    const group = text[index] === "{" ? readGroup(text, index) : undefined;
    if (group === undefined) {
      index = afterPlain(text, index);
      continue;
    }
    const choices = group.range ? listRange(group.range) : expandEach(group.pieces, nesting + 1);
    if (choices === undefined) return undefined;
    const product = combine(heads, text.slice(literalStart, index), choices);
    if (product === undefined) return undefined;
    heads = product;
    index = group.end;
    literalStart = index;
  }
  return combine(heads, text.slice(literalStart), [""]);
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

interface Group {
  readonly pieces: readonly string[];
  readonly range: RegExpExecArray | undefined;
  /** Just after the closing brace. */
  readonly end: number;
}

/** The group that opens at `open`, or `undefined` when that brace stands for itself. */
function readGroup(text: string, open: number): Group | undefined {
  const pieces: string[] = [];
  let nesting = 0;
  let pieceStart = open + 1;
  for (let index = open + 1; index < text.length; index = afterPlain(text, index)) {
    const character = text[index];
    if (character === "{") nesting++;
    else if (character === "," && nesting === 0) {
      pieces.push(text.slice(pieceStart, index));
      pieceStart = index + 1;
    } else if (character === "}" && nesting-- === 0) {
      const last = text.slice(pieceStart, index);
      const range = pieces.length === 0 ? (RANGE.exec(last) ?? undefined) : undefined;
      if (pieces.length === 0 && range === undefined) return undefined;
      return { pieces: [...pieces, last], range, end: index + 1 };
    }
  }
  return undefined;
}

/** The position after one character, or after a whole class: what is in `[…]` is no syntax of braces. */
function afterPlain(text: string, index: number): number {
  const classEnd = text[index] === "[" ? findClassEnd(text, index) : -1;
  return classEnd < 0 ? index + 1 : classEnd + 1;
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

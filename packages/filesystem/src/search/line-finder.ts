import {
  type FindLines,
  findByNeedle,
  findByScan,
  findLineByLine,
  findLiteral,
} from "./find-lines.js";
import { canInterrupt } from "./interruptible.js";
import { needsUnicodeMode, type Refuse, readRegex } from "./read-regex.js";

/** A pattern made ready to be looked for. */
export interface LineFinder {
  readonly find: FindLines;
  /** A text that every match holds; empty when none is known. */
  readonly needle: string;
  /** What defines a match: this expression, run on a line alone. */
  readonly source: string;
  readonly flags: string;
  /** Whether it may be tried on this thread. Making the machine code of a long pattern cannot be interrupted. */
  readonly triedHere: boolean;
}

export interface FinderOptions {
  readonly ignoreCase: boolean;
  readonly literal: boolean;
  readonly maxPatternCharacters: number;
}

export function compileFinder(pattern: string, options: FinderOptions, refuse: Refuse): LineFinder {
  if (typeof pattern !== "string") throw refuse("a pattern must be a string");
  if (pattern.length > options.maxPatternCharacters)
    throw refuse(`pattern is longer than ${options.maxPatternCharacters} characters`);
  if (!options.literal) return compileRegex(pattern, options.ignoreCase, refuse);
  if (pattern.includes("\n"))
    throw refuse("lines are searched one at a time, so no match can hold a line break");
  if (pattern === "" || options.ignoreCase)
    return compileRegex(escapeRegex(pattern), options.ignoreCase, refuse);
  return literalFinder(pattern);
}

function literalFinder(literal: string): LineFinder {
  const source = escapeRegex(literal);
  return { find: findLiteral(literal), needle: literal, source, flags: "", triedHere: true };
}

/** A needle shorter than this is on so many lines that looking for it first gains nothing. */
const MIN_NEEDLE_CHARACTERS = 3;
const MAX_CHARACTERS_TRIED_HERE = 512;
/** Each is a list of thousands of characters that is made at once. */
const MAX_PROPERTY_CLASSES = 50;

function compileRegex(pattern: string, ignoreCase: boolean, refuse: Refuse): LineFinder {
  const unicode = needsUnicodeMode(pattern);
  if (unicode && pattern.split(/\\[pP]\{/).length - 1 > MAX_PROPERTY_CLASSES)
    throw refuse(`pattern holds more than ${MAX_PROPERTY_CLASSES} property classes`);
  const shape = readRegex(pattern, unicode, refuse);
  if (shape?.literal && !ignoreCase) return literalFinder(shape.literal);
  if (!canInterrupt())
    throw refuse(
      "this runtime cannot interrupt a regular expression; only plain text can be searched for",
    );

  const flags = (ignoreCase ? "i" : "") + (unicode ? "u" : "");
  const regex = makeRegex(pattern, flags, refuse);
  const needle = ignoreCase ? "" : (shape?.required ?? "");
  const triedHere = pattern.length <= MAX_CHARACTERS_TRIED_HERE;
  return { find: chooseFind(), needle, source: pattern, flags, triedHere };

  function chooseFind(): FindLines {
    if (needle.length >= MIN_NEEDLE_CHARACTERS) return findByNeedle(regex, needle);
    if (shape?.lineBound === undefined) return findLineByLine(regex);
    return findByScan(regex, makeRegex(shape.lineBound, `${flags}gm`, refuse));
  }
}

function makeRegex(source: string, flags: string, refuse: Refuse): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw refuse(`invalid regular expression: ${describe(error)}`);
  }
}

const LONGEST_DESCRIPTION = 100;

/** V8 repeats the whole pattern before it says what is wrong. */
function describe(error: unknown): string {
  const message = error instanceof SyntaxError ? error.message : "too complex";
  return message
    .slice(message.lastIndexOf(": ") + 1)
    .trim()
    .slice(0, LONGEST_DESCRIPTION);
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

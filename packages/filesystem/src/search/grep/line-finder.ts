import { chooseNeedle } from "./choose-literal.js";
import { type FindLines, findByNeedle, findLineByLine, findLiteral } from "./find-lines.js";
import { MAX_NEEDLE_CHARACTERS } from "./index-of-literal.js";
import { canInterrupt } from "./interruptible.js";
import { needsUnicodeMode, type Refuse, readRegex } from "./read-regex.js";

/** A compiled pattern. */
export interface LineFinder {
  readonly find: FindLines;
  /** A short text that every match contains; empty when none is known. */
  readonly needle: string;
  /** Defines a match: this expression, run on a single line. */
  readonly source: string;
  readonly flags: string;
  /** Whether it may run on this thread. Compiling a long pattern to machine code cannot be interrupted. */
  readonly triedHere: boolean;
  /** Whether its time is proportional to the length of any text. */
  readonly isLinear: boolean;
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
  if (!pattern.isWellFormed()) throw refuse("pattern has an unpaired surrogate");
  if (!options.literal) return compileRegex(pattern, options.ignoreCase, refuse);
  if (pattern.includes("\n"))
    throw refuse("lines are searched one at a time, so a pattern cannot match a line break");
  if (pattern === "" || options.ignoreCase)
    return compileRegex(escapeRegex(pattern), options.ignoreCase, refuse);
  return literalFinder(pattern);
}

function literalFinder(literal: string): LineFinder {
  const source = interruptible(escapeRegex(literal));
  const needle = chooseNeedle(literal);
  const isLinear = literal.length <= MAX_NEEDLE_CHARACTERS;
  return { find: findLiteral(literal), needle, source, flags: "", triedHere: true, isLinear };
}

/** A shorter text is on too many lines for a search for it to help. */
const MIN_NEEDLE_CHARACTERS = 3;
const MAX_CHARACTERS_TRIED_HERE = 256;
/** Each property class is a list of thousands of characters, built when the pattern is compiled. */
const MAX_PROPERTY_CLASSES = 50;

function compileRegex(pattern: string, ignoreCase: boolean, refuse: Refuse): LineFinder {
  const unicode = needsUnicodeMode(pattern);
  if (unicode && pattern.split(/\\[pP]\{/).length - 1 > MAX_PROPERTY_CLASSES)
    throw refuse(`pattern has more than ${MAX_PROPERTY_CLASSES} property classes`);
  const shape = readRegex(pattern, unicode, refuse);
  if (shape?.literal && !ignoreCase) return literalFinder(shape.literal);
  const flags = (ignoreCase ? "i" : "") + (unicode ? "u" : "");
  // Compiled first for its error message, because an invalid pattern has no shape.
  makeRegex(pattern, flags, refuse);
  if (shape === undefined) throw refuse("invalid regular expression");
  if (!canInterrupt())
    throw refuse(
      "this runtime cannot interrupt a regular expression; only plain text can be searched for",
    );

  const source = interruptible(pattern);
  const regex = makeRegex(source, flags, refuse);
  const needle = chooseNeedle(ignoreCase ? "" : shape.required);
  const triedHere = pattern.length <= MAX_CHARACTERS_TRIED_HERE;
  const find =
    needle.length >= MIN_NEEDLE_CHARACTERS ? findByNeedle(regex, needle) : findLineByLine(regex);
  return { find, needle, source, flags, triedHere, isLinear: false };
}

/**
 * V8 runs an expression that is only plain text as a text search, which cannot be interrupted and can be slow. An empty
 * lookahead changes no match, but the expression is then not plain text.
 */
function interruptible(source: string): string {
  return source.length <= MAX_NEEDLE_CHARACTERS ? source : `(?=)(?:${source})`;
}

function makeRegex(source: string, flags: string, refuse: Refuse): RegExp {
  try {
    return new RegExp(source, flags);
  } catch (error) {
    throw refuse(`invalid regular expression: ${describe(error)}`);
  }
}

const MAX_DESCRIPTION_CHARACTERS = 100;

/** V8's message repeats the whole pattern before the reason. */
function describe(error: unknown): string {
  const message = error instanceof SyntaxError ? error.message : "too complex";
  return message
    .slice(message.lastIndexOf(": ") + 1)
    .trim()
    .slice(0, MAX_DESCRIPTION_CHARACTERS);
}

function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}

import picomatch from "picomatch/posix.js";
import { Automaton } from "./automaton.js";
import { expandRange, MAX_RANGE_VALUES, RangeTooLong } from "./expand-range.js";
import { type CompileGlobOptions, globError, refusePattern } from "./glob-syntax.js";
import { escapeLiterals } from "./literal-characters.js";
import { MAX_STEPS_OF_DIRECTORY, MAX_STEPS_OF_MATCH, MatchMeter } from "./match-meter.js";
import { compileExpression } from "./program.js";
import { readExpression, UnsupportedExpression } from "./read-expression.js";

export type { CompileGlobOptions } from "./glob-syntax.js";

/**
 * A compiled glob. Paths are relative to the base directory, `/`-separated, without a leading slash.
 *
 * The dialect is picomatch's with `dot: true` and `posix: true`, and three differences: parentheses that open no extended
 * glob are text, ranges such as `{1..10}` count, and `?` and classes take whole characters. A pattern without `/` matches a
 * file's name at any depth.
 *
 * picomatch only parses. An automaton matches in one pass over the path and counts its steps: a match that would take more
 * than 100,000 fails with `EINVAL`, and so does one for which `maxSlowGlobSteps` leaves too few.
 */
export interface GlobPattern {
  readonly source: string;
  /** Whether only the last segment counts, so that a file's name is enough to decide. */
  readonly byName: boolean;
  matches(path: string): boolean;
  /** Whether a path below `directory` could match; `""` is the base. Never `false` if one could. */
  mayContain(directory: string): boolean;
  /** The work done since the last call, in the units of `TimeSlices`. */
  readonly takeWork: () => number;
}

/** picomatch's parser takes more than linear time for these. */
const MAX_GROUPS = 200;
const MAX_DEPTH = 20;

/**
 * Fails with `EACCES` when the pattern contains a `..` segment, and with `EINVAL` when it is absolute, too
 * long or too complex, or not valid in the dialect.
 */
export function compileGlob(pattern: string, options: CompileGlobOptions): GlobPattern {
  refusePattern(pattern, options);
  const text = dropEmptySegments(pattern);
  const meter = new MatchMeter(options.maxSlowGlobSteps ?? Number.POSITIVE_INFINITY);
  const inner = text.startsWith("**/") ? text.slice(3) : text;
  // `./x` is a path; `**/x` means the same as the name `x`.
  const byName = inner === text ? !pattern.includes("/") : !/\/|\*\*/.test(inner);
  const automaton = new Automaton(programOf(byName ? inner : text, pattern, options), meter);
  return {
    source: pattern,
    byName,
    matches(path) {
      if (path === text) return true;
      meter.begin(MAX_STEPS_OF_MATCH);
      const isMatch = automaton.matches(path, byName ? path.lastIndexOf("/") + 1 : 0);
      if (meter.end() && !isMatch) throw globError(pattern, options, TOO_SLOW);
      return isMatch;
    },
    mayContain(directory) {
      if (byName || directory === "" || text.startsWith(`${directory}/`)) return true;
      meter.begin(MAX_STEPS_OF_DIRECTORY);
      const isPossible = automaton.canContinue(`${directory}/`);
      meter.end();
      return isPossible;
    },
    takeWork: () => meter.takeWork(),
  };
}

/** Empty and `.` segments drop out, as they do from paths. */
function dropEmptySegments(pattern: string): string {
  const segments = pattern.split("/").filter((segment) => segment !== "" && segment !== ".");
  return segments.length === 0 ? pattern : segments.join("/");
}

function programOf(text: string, pattern: string, options: CompileGlobOptions) {
  const { text: prepared, groups, depth } = escapeLiterals(text);
  if (groups > MAX_GROUPS || depth > MAX_DEPTH)
    throw globError(
      pattern,
      options,
      `pattern too complex; use at most ${MAX_GROUPS} braces and extended globs, nested ${MAX_DEPTH} deep`,
    );
  try {
    return compileExpression(readExpression(withoutDotGuards(expressionOf(prepared))));
  } catch (error) {
    if (error instanceof UnsupportedExpression) throw globError(pattern, options, NOT_VALID);
    if (error instanceof RangeTooLong)
      throw globError(
        pattern,
        options,
        `a range such as {1..9} has at most ${MAX_RANGE_VALUES} values`,
      );
    throw error;
  }
}

const PARSER_OPTIONS = {
  dot: true,
  posix: true,
  nonegate: true,
  expandRange: (first: string, last: string, ...rest: unknown[]) =>
    expandRange(first, last, typeof rest[0] === "string" ? rest[0] : undefined),
  // The option protects a backtracking engine by changing what `+(a|aa)` means. The automaton does not need it.
  maxExtglobRecursion: false,
};

function expressionOf(text: string): string {
  const { source } = picomatch.makeRe(text, PARSER_OPTIONS);
  // What picomatch returns for an expression that V8 does not accept.
  if (source === "$^") throw new UnsupportedExpression("not a valid expression");
  return source;
}

/** picomatch keeps `.` and `..` from matching. No path here has such a segment, so these lookaheads are always true. */
function withoutDotGuards(source: string): string {
  return source
    .replaceAll("(?!(?:^|\\/)\\.{1,2}(?:\\/|$))", "")
    .replaceAll("(?!\\.{1,2}(?:\\/|$))", "");
}

const NOT_VALID =
  "not a valid glob; check that ranges such as [a-z] run forwards and that brackets are closed";

const TOO_SLOW =
  "the pattern takes too long to match this many paths; put fewer alternatives into its braces and fewer * " +
  "into one name, or search a smaller directory";

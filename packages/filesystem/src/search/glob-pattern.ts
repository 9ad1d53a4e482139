import { expandBraces } from "./expand-braces.js";
import { type CompileGlobOptions, globError, refusePattern } from "./glob-syntax.js";
import { MAX_STEPS_OF_DIRECTORY, MAX_STEPS_OF_MATCH, MatchMeter } from "./match-meter.js";
import {
  compileNamePattern,
  compilePathPattern,
  type PathPattern,
  type PatternContext,
} from "./path-pattern.js";
import { PatternIndex } from "./pattern-index.js";
import { sharedText } from "./shared-text.js";

export type { CompileGlobOptions } from "./glob-syntax.js";

/**
 * A compiled glob. Paths are relative to the base directory, `/`-separated, without a leading slash.
 *
 * The dialect is picomatch's with `dot: true`, less what is refused:
 * - a pattern without `/` matches a file's name at any depth; with `/` it matches the whole path;
 * - `*` matches within a segment, `**` as a whole segment matches any number of them, also none;
 * - `?` matches one character, `[a-z]`, `[!a]`, `[^a]` and `[[:digit:]]` one of a class, never `/`;
 * - `{a,b}` and `{1..3}` stand for each of their alternatives, at most 1,000 in all;
 * - parentheses and everything else stand for themselves; `[*]` is a star.
 *
 * Matching takes at most path length × pattern length steps and does not recurse. Steps are counted: a match that
 * would take more than 500,000 fails with `EINVAL`, and so does one for which `maxSlowGlobSteps` leaves too few.
 */
export interface GlobPattern {
  readonly source: string;
  /** Whether only the last segment counts, so that a file's name alone may stand for its path. */
  readonly byName: boolean;
  matches(path: string): boolean;
  /** Whether anything below `directory` could match; `""` is the base. Never `false` where something could. */
  mayContain(directory: string): boolean;
  /** The work done since this was last asked, in the units of `TimeSlices`. Not there where it is not worth counting. */
  readonly takeWork?: () => number;
}

/** So many patterns are tried one after the other faster than looked up. */
const MAX_TRIED_IN_TURN = 8;

/**
 * Fails with `EACCES` when the pattern holds a `..` segment, and with `EINVAL` when it is absolute, too
 * long or too complex, or uses syntax that is not of the dialect.
 */
export function compileGlob(pattern: string, options: CompileGlobOptions): GlobPattern {
  refusePattern(pattern, options);
  const meter = new MatchMeter(options.maxSlowGlobSteps ?? Number.POSITIVE_INFINITY);
  const context: PatternContext = { ...options, pattern, meter, segments: new Map() };
  const areNames = !pattern.includes("/");
  const compile = areNames ? compileNamePattern : compilePathPattern;
  const texts = expandBraces(pattern, options);
  const alternatives = texts.map((text) => compile(text, context));
  const matches =
    alternatives.length > MAX_TRIED_IN_TURN
      ? matchMany(alternatives, sharedText(texts), areNames, meter)
      : matchAny(alternatives);
  const isCheap =
    alternatives.length <= MAX_TRIED_IN_TURN && alternatives.every(({ isPlain }) => isPlain);
  return {
    source: pattern,
    byName: alternatives.every(({ byName }) => byName),
    mayContain: meterDirectories(reachAny(alternatives), meter),
    ...(isCheap ? { matches } : meterMatches(matches, context)),
  };
}

type PathTest = (path: string) => boolean;

function matchAny(alternatives: readonly PathPattern[]): PathTest {
  const [only] = alternatives;
  if (only !== undefined && alternatives.length === 1) return only.matches;
  return (path) => {
    for (const alternative of alternatives) if (alternative.matches(path)) return true;
    return false;
  };
}

/** Most paths are ruled out by one look for what all alternatives have in common, or for how they begin or end. */
function matchMany(
  alternatives: readonly PathPattern[],
  shared: string,
  areNames: boolean,
  meter: MatchMeter,
): PathTest {
  const index = PatternIndex.of(alternatives);
  return (path) => {
    const subject = areNames ? path.slice(path.lastIndexOf("/") + 1) : path;
    meter.left -= subject.length >> CHARACTERS_PER_STEP_LOG2;
    return subject.includes(shared) && index.matches(subject, meter);
  };
}

const CHARACTERS_PER_STEP_LOG2 = 1;

/** Alternatives that say the same of directories are asked once. */
function reachAny(alternatives: readonly PathPattern[]): PathTest {
  const different = [...new Map(alternatives.map((each) => [each.directories, each])).values()];
  const [only] = different;
  if (only !== undefined && different.length === 1) return only.mayContain;
  return (directory) => different.some(({ mayContain }) => mayContain(directory));
}

function meterMatches(
  matches: PathTest,
  context: PatternContext,
): Pick<GlobPattern, "matches" | "takeWork"> {
  const { pattern, meter } = context;
  return {
    matches(path) {
      meter.begin(MAX_STEPS_OF_MATCH);
      const matched = matches(path);
      const ranOut = meter.end();
      if (ranOut && !matched) throw globError(pattern, context, TOO_SLOW);
      return matched;
    },
    takeWork: () => meter.takeWork(),
  };
}

function meterDirectories(mayContain: PathTest, meter: MatchMeter): PathTest {
  return (directory) => {
    meter.begin(MAX_STEPS_OF_DIRECTORY);
    const reaches = mayContain(directory);
    const ranOut = meter.end();
    return reaches || ranOut;
  };
}

const TOO_SLOW =
  "the pattern takes too long to match so many paths; put fewer alternatives into its braces and fewer * " +
  "into one name, or search a smaller directory";

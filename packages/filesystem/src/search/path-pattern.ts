import { type CompileGlobOptions, globError, refuseEscape } from "./glob-syntax.js";
import type { MatchMeter } from "./match-meter.js";
import { compileSegment, type SegmentPattern } from "./segment-pattern.js";

/** One alternative of a glob. */
export interface PathPattern {
  /** Whether only the last segment counts, so that the name alone may stand for the path. */
  readonly byName: boolean;
  /** Whether a look at both ends of a path is enough; if not, matching counts its steps. */
  readonly isPlain: boolean;
  /** What every path that matches starts with; where only names count, what its name does. */
  readonly head: string;
  /** What every path that matches ends with. */
  readonly tail: string;
  /** What says where it can match: alternatives that have this in common may contain the same. */
  readonly directories: string;
  matches(path: string): boolean;
  mayContain(directory: string): boolean;
}

type Step = SegmentPattern | typeof GLOBSTAR;

const GLOBSTAR = "**";

/** What the alternatives of one pattern are compiled with. */
export interface PatternContext extends CompileGlobOptions {
  /** The pattern as it was given. */
  readonly pattern: string;
  readonly meter: MatchMeter;
  /** Segments by their text: alternatives have most of them in common. */
  readonly segments: Map<string, SegmentPattern>;
}

/** Matches the last segment of a path, wherever it stands. */
export function compileNamePattern(text: string, context: PatternContext): PathPattern {
  const name = compileStep(text, context);
  return {
    byName: true,
    isPlain: name.kind !== "general",
    head: name.head,
    tail: name.tail,
    directories: GLOBSTAR,
    matches: matchName(name),
    mayContain: () => true,
  };
}

/** Matches a whole path, segment by segment. */
export function compilePathPattern(text: string, context: PatternContext): PathPattern {
  refuseEscape(text, context.pattern, context);
  const segments = listSegments(text);
  const steps = segments.map((segment) =>
    segment === GLOBSTAR ? GLOBSTAR : compileStep(segment, context),
  );
  const last = steps.at(-1);
  const star = segments.indexOf(GLOBSTAR);
  const above = steps.slice(0, star < 0 ? -1 : star);
  return {
    byName: steps.length === 2 && steps[0] === GLOBSTAR && last !== GLOBSTAR,
    ...matchPath(steps, context.meter),
    tail: last === undefined || last === GLOBSTAR ? "" : last.tail,
    directories: [...segments.slice(0, above.length), star < 0 ? "" : GLOBSTAR].join("/"),
    mayContain: (directory) => reachesBelow(above, star >= 0, directory, context.meter),
  };
}

/** What says nothing drops out: empty and `.` segments, and all but one of a row of `**`. */
function listSegments(text: string): readonly string[] {
  const segments: string[] = [];
  for (const segment of text.split("/")) {
    const repeated = segment === GLOBSTAR && segments.at(-1) === GLOBSTAR;
    if (segment !== "" && segment !== "." && !repeated) segments.push(segment);
  }
  // As in picomatch: `src/**` holds src itself, but `packages/*/**` nothing that lies in packages directly.
  const last = segments.length - 1;
  if (segments[last] === GLOBSTAR && segments[last - 1]?.endsWith("*"))
    segments.splice(last, 0, "*");
  return segments;
}

function compileStep(text: string, context: PatternContext): SegmentPattern {
  const { segments, pattern, meter } = context;
  const segment = segments.get(text) ?? compileSegment(text, meter);
  if (segment === undefined)
    throw globError(pattern, context, "a range such as [z-a] runs backwards");
  segments.set(text, segment);
  return segment;
}

type PathTest = (path: string) => boolean;
type PathMatch = Pick<PathPattern, "isPlain" | "head" | "matches">;

/** The common shapes are told by a look at both ends of the path; the rest go segment by segment. */
function matchPath(steps: readonly Step[], meter: MatchMeter): PathMatch {
  const literals = literalHead(steps);
  const rest = steps.slice(literals.length);
  const prefix = literals.map((text) => `${text}/`).join("");
  const itself = prefix.slice(0, -1);
  const [first, second] = rest;

  if (first === undefined)
    return { isPlain: true, head: itself, matches: (path) => path === itself };
  if (first === GLOBSTAR && second === undefined)
    return { isPlain: true, head: itself, matches: matchBelow(itself, prefix) };
  if (first === GLOBSTAR && rest.length === 2 && second !== undefined && second !== GLOBSTAR) {
    const matchesName = matchName(second);
    const matches: PathTest = (path) =>
      path.startsWith(prefix) && path.length > prefix.length && matchesName(path);
    const isPlain = second.kind !== "general";
    return { isPlain, head: prefix, matches: prefix === "" ? matchesName : matches };
  }
  return {
    isPlain: false,
    head: first === GLOBSTAR ? prefix : prefix + first.head,
    matches: (path) => path.startsWith(prefix) && matchSteps(rest, path, prefix.length, meter),
  };
}

/** Everything below a directory, and the directory itself. */
function matchBelow(itself: string, prefix: string): PathTest {
  if (prefix === "") return () => true;
  return (path) =>
    path.startsWith(itself) && (path.length === itself.length || path.startsWith(prefix));
}

function literalHead(steps: readonly Step[]): readonly string[] {
  const head: string[] = [];
  for (const step of steps) {
    if (step === GLOBSTAR || step.kind !== "literal") break;
    head.push(step.head);
  }
  return head;
}

function matchName(name: SegmentPattern): PathTest {
  if (name.kind === "any") return () => true;
  // A suffix holds no slash, so it lies within the name by itself.
  if (name.kind === "ends" && name.head === "") {
    const { tail } = name;
    return (path) => path.endsWith(tail);
  }
  if (name.kind === "literal") {
    const text = name.head;
    return (path) =>
      path.endsWith(text) &&
      (path.length === text.length || path.charCodeAt(path.length - text.length - 1) === SLASH);
  }
  return (path) => name.test(path, path.lastIndexOf("/") + 1, path.length);
}

const SLASH = 0x2f;

/** Testing a segment takes as long as this many steps, besides those that it counts itself. */
const STEPS_PER_SEGMENT = 4;

/** Two pointers again, over segments: on a mismatch the last `**` takes one segment more. */
function matchSteps(
  steps: readonly Step[],
  path: string,
  from: number,
  meter: MatchMeter,
): boolean {
  let position = from;
  let index = 0;
  let afterStar = -1;
  let starEnd = from;
  while (position <= path.length && meter.left >= 0) {
    const step = steps[index];
    if (step === GLOBSTAR) {
      afterStar = ++index;
      starEnd = position;
      if (afterStar === steps.length) return true;
      continue;
    }
    const end = segmentEnd(path, position);
    meter.left -= STEPS_PER_SEGMENT;
    if (step?.test(path, position, end)) {
      position = end + 1;
      index++;
    } else if (afterStar < 0) {
      return false;
    } else {
      starEnd = segmentEnd(path, starEnd) + 1;
      position = starEnd;
      index = afterStar;
    }
  }
  if (steps[index] === GLOBSTAR) index++;
  return position > path.length && index === steps.length;
}

function segmentEnd(path: string, start: number): number {
  const slash = path.indexOf("/", start);
  return slash < 0 ? path.length : slash;
}

/** Up to the first `**` a pattern says segment by segment what may come; from there on anything may. */
function reachesBelow(
  above: readonly Step[],
  endsOpen: boolean,
  directory: string,
  meter: MatchMeter,
): boolean {
  let index = 0;
  for (let start = 0; start < directory.length; index++) {
    const step = above[index];
    if (step === undefined || step === GLOBSTAR) return endsOpen;
    const end = segmentEnd(directory, start);
    meter.left -= STEPS_PER_SEGMENT;
    if (meter.left < 0 || !step.test(directory, start, end)) return false;
    start = end + 1;
  }
  return true;
}

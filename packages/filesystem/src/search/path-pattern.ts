import { type CompileGlobOptions, globError, refuseEscape } from "./glob-syntax.js";
import { compileSegment, type SegmentPattern } from "./segment-pattern.js";

/** One alternative of a glob. */
export interface PathPattern {
  /** Whether only the last segment counts, so that the name alone may stand for the path. */
  readonly byName: boolean;
  matches(path: string): boolean;
  mayContain(directory: string): boolean;
}

type Step = SegmentPattern | typeof GLOBSTAR;

const GLOBSTAR = "**";

/** Matches the last segment of a path, wherever it stands. */
export function compileNamePattern(
  text: string,
  pattern: string,
  options: CompileGlobOptions,
): PathPattern {
  const matches = matchName(compileStep(text, pattern, options));
  return { byName: true, matches, mayContain: () => true };
}

/** Matches a whole path, segment by segment. */
export function compilePathPattern(
  text: string,
  pattern: string,
  options: CompileGlobOptions,
): PathPattern {
  refuseEscape(text, pattern, options);
  const steps = listSegments(text).map((segment) =>
    segment === GLOBSTAR ? GLOBSTAR : compileStep(segment, pattern, options),
  );
  return {
    byName: steps.length === 2 && steps[0] === GLOBSTAR && steps[1] !== GLOBSTAR,
    matches: matchPath(steps),
    mayContain: (directory) => reachesBelow(steps, directory),
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

function compileStep(text: string, pattern: string, options: CompileGlobOptions): SegmentPattern {
  const segment = compileSegment(text);
  if (segment !== undefined) return segment;
  throw globError(pattern, options, "a range such as [z-a] runs backwards");
}

type PathTest = (path: string) => boolean;

/** The common shapes are told by a look at both ends of the path; the rest go segment by segment. */
function matchPath(steps: readonly Step[]): PathTest {
  const head = literalHead(steps);
  const rest = steps.slice(head.length);
  const prefix = head.map((text) => `${text}/`).join("");
  const [first, second] = rest;

  if (first === GLOBSTAR && rest.length === 1) {
    if (prefix === "") return () => true;
    const itself = prefix.slice(0, -1);
    return (path) =>
      path.startsWith(itself) && (path.length === itself.length || path.startsWith(prefix));
  }
  if (first === GLOBSTAR && rest.length === 2 && second !== undefined && second !== GLOBSTAR) {
    const matchesName = matchName(second);
    if (prefix === "") return matchesName;
    return (path) => path.startsWith(prefix) && path.length > prefix.length && matchesName(path);
  }
  if (rest.length === 0) {
    const whole = prefix.slice(0, -1);
    return (path) => path === whole;
  }
  return (path) => path.startsWith(prefix) && matchSteps(rest, path, prefix.length);
}

function literalHead(steps: readonly Step[]): readonly string[] {
  const head: string[] = [];
  for (const step of steps) {
    if (step === GLOBSTAR || step.kind !== "literal") break;
    head.push(step.text);
  }
  return head;
}

function matchName(name: SegmentPattern): PathTest {
  if (name.kind === "any") return () => true;
  // A suffix holds no slash, so it lies within the name by itself.
  if (name.kind === "ends" && name.prefix === "") {
    const { suffix } = name;
    return (path) => path.endsWith(suffix);
  }
  if (name.kind === "literal") {
    const { text } = name;
    return (path) =>
      path.endsWith(text) &&
      (path.length === text.length || path.charCodeAt(path.length - text.length - 1) === SLASH);
  }
  return (path) => name.test(path, path.lastIndexOf("/") + 1, path.length);
}

const SLASH = 0x2f;

/** Two pointers again, over segments: on a mismatch the last `**` takes one segment more. */
function matchSteps(steps: readonly Step[], path: string, from: number): boolean {
  let position = from;
  let index = 0;
  let afterStar = -1;
  let starEnd = from;
  while (position <= path.length) {
    const step = steps[index];
    if (step === GLOBSTAR) {
      afterStar = ++index;
      starEnd = position;
      if (afterStar === steps.length) return true;
      continue;
    }
    const end = segmentEnd(path, position);
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
  return index === steps.length;
}

function segmentEnd(path: string, start: number): number {
  const slash = path.indexOf("/", start);
  return slash < 0 ? path.length : slash;
}

/** Up to the first `**` a pattern says segment by segment what may come; from there on anything may. */
function reachesBelow(steps: readonly Step[], directory: string): boolean {
  let index = 0;
  for (let start = 0; start < directory.length; index++) {
    const step = steps[index];
    if (step === GLOBSTAR) return true;
    const end = segmentEnd(directory, start);
    if (!step?.test(directory, start, end)) return false;
    start = end + 1;
  }
  return index < steps.length;
}

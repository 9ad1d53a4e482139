import { paths } from "@wink/filesystem";
import { type IgnoreSegment, matchesSegment, parseIgnorePattern } from "./gitignore-segment.js";

interface IgnoreRule {
  readonly isNegated: boolean;
  readonly directoriesOnly: boolean;
  /** An anchored pattern matches the whole path. Any other pattern has one segment and matches the last name. */
  readonly isAnchored: boolean;
  readonly segments: readonly IgnoreSegment[];
}

/**
 * The combined rules of the `.gitignore` files from the top of a tree down to one directory.
 *
 * As in git, the last matching rule decides, and a deeper file wins over a higher one. The caller must not enter an
 * ignored directory, because no rule can include a file in it again.
 */
export class IgnoreRules {
  readonly #outer: IgnoreRules | undefined;
  readonly #base: string;
  readonly #rules: readonly IgnoreRule[];

  /** `base` is the directory that contains the file. `source` is the file's bytes. */
  constructor(outer: IgnoreRules | undefined, base: string, source: Uint8Array) {
    this.#outer = outer;
    this.#base = base;
    // Reversed, because the last matching rule decides.
    this.#rules = parseRules(Buffer.from(source).toString("latin1")).reverse();
  }

  ignores(path: string, isDirectory: boolean): boolean {
    const below = this.#base === "" ? path : path.slice(this.#base.length + 1);
    const segments = byteString(below).split("/");
    for (const rule of this.#rules)
      if (matchesRule(rule, segments, isDirectory)) return !rule.isNegated;
    return this.#outer?.ignores(path, isDirectory) ?? false;
  }
}

function byteString(path: string): string {
  return PLAIN.test(path) ? path : Buffer.from(paths.pathBytes(path)).toString("latin1");
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant.
const PLAIN = /^[\x00-\x7f]*$/;

function parseRules(source: string): IgnoreRule[] {
  const text = source.startsWith("\xef\xbb\xbf") ? source.slice(3) : source;
  const rules: IgnoreRule[] = [];
  for (const line of text.split("\n")) {
    const rule = parseRule(line.endsWith("\r") ? line.slice(0, -1) : line);
    if (rule !== undefined) rules.push(rule);
  }
  return rules;
}

function parseRule(line: string): IgnoreRule | undefined {
  let pattern = withoutTrailingBlanks(line);
  if (pattern === "" || pattern.startsWith("#")) return undefined;
  const isNegated = pattern.startsWith("!");
  if (isNegated) pattern = pattern.slice(1);
  const directoriesOnly = pattern.endsWith("/");
  if (directoriesOnly) pattern = pattern.slice(0, -1);
  const isAnchored = pattern.includes("/");
  if (pattern.startsWith("/")) pattern = pattern.slice(1);
  const segments = parseIgnorePattern(pattern);
  if (segments === undefined || pattern === "") return undefined;
  return { isNegated, directoriesOnly, isAnchored, segments };
}

/** Removes trailing spaces. Stops at an escaped space. */
function withoutTrailingBlanks(line: string): string {
  let end = line.length;
  while (end > 0 && line[end - 1] === " ") {
    let slashes = 0;
    while (line[end - 2 - slashes] === "\\") slashes++;
    if (slashes % 2 === 1) break;
    end--;
  }
  return line.slice(0, end);
}

function matchesRule(rule: IgnoreRule, segments: readonly string[], isDirectory: boolean): boolean {
  if (rule.directoriesOnly && !isDirectory) return false;
  if (rule.isAnchored) return matchesPath(rule.segments, segments);
  const [only] = rule.segments;
  return only === "**" || (only !== undefined && matchesSegment(only, segments.at(-1) ?? ""));
}

/** The same two-pointer matching as in `matchesSegment`: on a mismatch the last `**` consumes one more segment. */
function matchesPath(pattern: readonly IgnoreSegment[], path: readonly string[]): boolean {
  let at = 0;
  let step = 0;
  let afterStar = -1;
  let starEnd = 0;
  while (at < path.length) {
    const segment = pattern[step];
    if (segment === "**") {
      // A trailing `**` matches everything inside, so at least one segment.
      if (step === pattern.length - 1) return true;
      afterStar = ++step;
      starEnd = at;
    } else if (segment !== undefined && matchesSegment(segment, path[at] ?? "")) {
      step++;
      at++;
    } else if (afterStar < 0) return false;
    else {
      step = afterStar;
      at = ++starEnd;
    }
  }
  return step === pattern.length;
}

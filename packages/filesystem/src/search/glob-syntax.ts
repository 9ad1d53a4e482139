import { FilesystemError, type FilesystemErrorCode } from "../filesystem-error.js";
import { afterCharacter, ClassEnds } from "./character-class.js";

export interface CompileGlobOptions {
  /** The public method the pattern was given to, for the error. */
  readonly operation: string;
  /** Longest pattern taken. */
  readonly maxPatternCharacters: number;
  /** What `FilesystemLimits` says of it. @default no limit but that on each match */
  readonly maxSlowGlobSteps?: number | undefined;
}

/** Throws when the pattern is none of the dialect; the reason says what is possible instead. */
export function refusePattern(pattern: string, options: CompileGlobOptions): void {
  if (typeof pattern !== "string")
    throw globError(String(pattern), options, "a pattern must be a string");
  if (pattern.length > options.maxPatternCharacters)
    throw globError(
      pattern,
      options,
      `pattern is longer than ${options.maxPatternCharacters} characters`,
    );
  refuseEscape(pattern, pattern, options);
  for (const [refused, reason] of REFUSALS)
    if (refused.test(pattern)) throw globError(pattern, options, reason);
  if (holdsExtendedGlob(pattern))
    throw globError(
      pattern,
      options,
      "extended globs such as +(a) are not supported; use *, **, ?, [abc] and {a,b}",
    );
  if (!pattern.isWellFormed())
    throw globError(pattern, options, "pattern is not well-formed Unicode");
}

/** `..` would lead out of the base. Looked for again in what braces expand to. */
export function refuseEscape(text: string, pattern: string, options: CompileGlobOptions): void {
  if (!CLIMBS.test(text)) return;
  throw globError(pattern, options, "pattern leads out of the searched directory", "EACCES");
}

export function globError(
  pattern: string,
  options: CompileGlobOptions,
  reason: string,
  code: FilesystemErrorCode = "EINVAL",
): FilesystemError {
  return new FilesystemError(code, { operation: options.operation, path: pattern, reason });
}

const CLIMBS = /(?:^|[/\\])\.\.(?:[/\\]|$)/;

const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^$/, "pattern is empty; * matches every file"],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  [/[\u0000-\u001f\u007f-\u009f]/, "pattern holds a control character"],
  [/\\/, "pattern holds a backslash; separate with / and write [*] for a literal *"],
  [/^\//, "pattern is absolute; write it relative to the searched directory"],
  [/\/$/, "pattern ends in /; add ** to match everything below"],
  [/^!/, "pattern starts with !; only what is to match can be named"],
];

function holdsExtendedGlob(pattern: string): boolean {
  const classes = new ClassEnds(pattern);
  let index = 0;
  while (index < pattern.length) {
    const next = afterCharacter(pattern, index, classes);
    const isOne = next === index + 1 && "+@!?*".includes(pattern[index] ?? " ");
    if (isOne && pattern[next] === "(") return true;
    index = next;
  }
  return false;
}

import { FilesystemError } from "../../protocol/filesystem-error.js";

export interface CompileGlobOptions {
  /** The public method the pattern was given to, for the error. */
  readonly operation: string;
  /** The longest pattern that is accepted. */
  readonly maxPatternCharacters: number;
  /** See `FilesystemLimits`. @default no limit beyond the limit on each match */
  readonly maxSlowGlobSteps?: number | undefined;
}

/** Throws when the pattern is not valid; the reason says what to write instead. */
export function refusePattern(pattern: string, options: CompileGlobOptions): void {
  if (typeof pattern !== "string")
    throw globError(String(pattern), options, "a pattern must be a string");
  if (pattern.length > options.maxPatternCharacters)
    throw globError(
      pattern,
      options,
      `pattern is longer than ${options.maxPatternCharacters} characters`,
    );
  refuseEscape(pattern, options);
  for (const [refused, reason] of REFUSALS)
    if (refused.test(pattern)) throw globError(pattern, options, reason);
  if (!pattern.isWellFormed())
    throw globError(pattern, options, "pattern is not well-formed Unicode");
}

/** `..` would escape from the base, also as an alternative in braces. */
function refuseEscape(pattern: string, options: CompileGlobOptions): void {
  if (!CLIMBS.test(pattern)) return;
  throw globError(pattern, options, "pattern escapes from the searched directory", "EACCES");
}

export function globError(
  pattern: string,
  options: CompileGlobOptions,
  reason: string,
  code: FilesystemError["code"] = "EINVAL",
): FilesystemError {
  return new FilesystemError(code, { operation: options.operation, path: pattern, reason });
}

const CLIMBS = /(?:^|[/\\{,(|])\.\.(?:[/\\},)|]|$)/;

const REFUSALS: readonly (readonly [RegExp, string])[] = [
  [/^$/, "pattern is empty; * matches every file"],
  // biome-ignore lint/suspicious/noControlCharactersInRegex: finding them is the point.
  [/[\u0000-\u001f\u007f-\u009f]/, "pattern contains a control character"],
  [/\\/, "pattern contains a backslash; separate with / and write [*] for a literal *"],
  [/^\//, "pattern is absolute; write it relative to the searched directory"],
  [/\/$/, "pattern ends in /; add ** to match everything below"],
  [/^!(?!\()/, "pattern starts with !; use exclude to leave files out, or !(name)"],
];

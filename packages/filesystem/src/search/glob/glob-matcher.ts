import { invalidArgument } from "../../protocol/filesystem-error.js";
import { type CompileGlobOptions, compileGlob } from "./glob-pattern.js";

/**
 * Compiles globs into one function that tells whether a path matches any of them. Throws a `FilesystemError` for an
 * invalid pattern.
 */
export function globMatcher(
  patterns: readonly string[],
  options: {
    /** The public method that the patterns were given to, for the error. */
    readonly operation: string;
    /** See `FilesystemLimits`. */
    readonly maxPatternCharacters: number;
    /** See `FilesystemLimits`. @default no limit beyond the limit on each match */
    readonly maxSlowGlobSteps?: number | undefined;
    /** Whether a pattern with a slash also matches below any directory. @default false */
    readonly anyDepth?: boolean | undefined;
  },
): (path: string) => boolean {
  if (!Array.isArray(patterns) || typeof options !== "object" || options === null)
    throw invalidArgument("globMatcher", "the arguments must be an array of patterns and options");
  const { anyDepth = false, ...limits } = options;
  const globs = patterns.map((pattern) => {
    const compiled = compileGlob(pattern, limits satisfies CompileGlobOptions);
    if (!anyDepth || !pattern.includes("/") || pattern.startsWith("**/")) return compiled;
    return compileGlob(`**/${pattern}`, { ...limits, maxPatternCharacters: Infinity });
  });
  return (path) => globs.some((glob) => glob.matches(path));
}

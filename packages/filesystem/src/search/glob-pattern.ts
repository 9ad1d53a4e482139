import { expandBraces } from "./expand-braces.js";
import { type CompileGlobOptions, refusePattern } from "./glob-syntax.js";
import { compileNamePattern, compilePathPattern, type PathPattern } from "./path-pattern.js";

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
 * Matching takes at most path length × pattern length steps and does not recurse.
 */
export interface GlobPattern {
  readonly source: string;
  /** Whether only the last segment counts, so that a file's name alone may stand for its path. */
  readonly byName: boolean;
  matches(path: string): boolean;
  /** Whether anything below `directory` could match; `""` is the base. Never `false` where something could. */
  mayContain(directory: string): boolean;
}

/**
 * Fails with `EACCES` when the pattern holds a `..` segment, and with `EINVAL` when it is absolute, too
 * long or too complex, or uses syntax that is not of the dialect.
 */
export function compileGlob(pattern: string, options: CompileGlobOptions): GlobPattern {
  refusePattern(pattern, options);
  const byName = !pattern.includes("/");
  const alternatives = expandBraces(pattern, options).map((alternative) =>
    byName
      ? compileNamePattern(alternative, pattern, options)
      : compilePathPattern(alternative, pattern, options),
  );
  const [only] = alternatives;
  return only !== undefined && alternatives.length === 1
    ? { source: pattern, ...only }
    : anyOf(pattern, alternatives);
}

function anyOf(source: string, alternatives: readonly PathPattern[]): GlobPattern {
  return {
    source,
    byName: alternatives.every(({ byName }) => byName),
    matches(path) {
      for (const alternative of alternatives) if (alternative.matches(path)) return true;
      return false;
    },
    mayContain(directory) {
      for (const alternative of alternatives) if (alternative.mayContain(directory)) return true;
      return false;
    },
  };
}

import {
  type ChangeSet,
  globMatcher,
  paths,
  type TreeChange,
  type VirtualPath,
} from "@wink/filesystem";
import { WorkspaceError } from "../error/workspace-error.js";

/**
 * A test for paths, directories and globs. `used` collects the patterns that matched something.
 */
export interface PathSelection {
  matches(path: string): boolean;
  readonly used: ReadonlySet<string>;
}

export function selectPaths(patterns: readonly string[]): PathSelection {
  const used = new Set<string>();
  const tests = patterns.map((pattern) => {
    const plain = pattern.replace(/^\.?\/+/, "").replace(/\/+$/, "");
    const isGlob = /[*?[\]{}!]/.test(plain);
    const matcher = isGlob
      ? globMatcher([plain], {
          operation: "changes",
          anyDepth: true,
          maxPatternCharacters: 4_096,
        })
      : undefined;
    return (path: string) => {
      const isMatch =
        plain === "" ||
        plain === "." ||
        path === plain ||
        paths.isWithin(path as VirtualPath, plain as VirtualPath) ||
        matcher?.(path) === true;
      if (isMatch) used.add(pattern);
      return isMatch;
    };
  });
  // Every test runs, so that `used` is complete.
  return { matches: (path) => tests.filter((test) => test(path)).length > 0, used };
}

/** The changes of the selected paths. A move is selected with either of its paths. */
export async function selectChanges(
  set: ChangeSet,
  patterns: readonly string[] | undefined,
): Promise<ChangeSet> {
  if (patterns === undefined) return set;
  const selection = selectPaths(patterns);
  const chosen = new Set<string>();
  for (const { before, after } of set.entries()) {
    const [old, now] = [before?.path, after?.path];
    const isChosen = [old, now].filter((path) => path !== undefined && selection.matches(path));
    if (isChosen.length > 0)
      for (const path of [old, now]) if (path !== undefined) chosen.add(path);
  }
  const unused = patterns.filter((pattern) => !selection.used.has(pattern));
  if (unused.length > 0)
    throw new WorkspaceError("UNKNOWN_PATH", {
      subject: unused.join(", "),
      reason: "no changed file has this path. `changes()` lists the changed files.",
    });
  return await set.filter((path) => chosen.has(path));
}

/** The paths of changes, in no order. */
export function changedPaths(changes: readonly TreeChange[]): string[] {
  return [
    ...new Set(
      changes.flatMap(({ before, after }) =>
        [before?.path, after?.path].filter((path) => path !== undefined),
      ),
    ),
  ];
}

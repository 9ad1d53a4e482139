import { isGitName } from "../operations/write-rules.js";
import type { FilesystemLimits } from "../protocol/limits.js";
import { compileGlob, type GlobPattern } from "../search/glob/glob-pattern.js";
import type { HostMount, LeftOutReason } from "./host-mount.js";
import { hasSecretName } from "./secret-names.js";

/**
 * Returns why something is left out; `undefined` when it is copied. `path` is relative to the mount, `hostPath` is
 * absolute.
 */
export interface MountFilter {
  directory(path: string, name: string, hostPath: string): LeftOutReason | undefined;
  file(path: string, name: string, hostPath: string): LeftOutReason | undefined;
  /** Whether a directory is copied even if no file in it is copied. */
  readonly keepsDirectories: boolean;
}

export function mountFilter(mount: HostMount, limits: FilesystemLimits): MountFilter {
  const included = compileAll(mount.includeGlob, limits);
  const excluded = compileAll(mount.excludeGlob, limits);
  const reasonFor = (
    path: string,
    name: string,
    hostPath: string,
    isDirectory: boolean,
  ): LeftOutReason | undefined => {
    if (isGitName(name)) return "git";
    if (excluded.some((pattern) => pattern.matches(path))) return "excluded";
    if (!mount.includeSecrets && hasSecretName(hostPath, isDirectory)) return "secret";
    return undefined;
  };
  return {
    directory: (path, name, hostPath) => reasonFor(path, name, hostPath, true),
    file(path, name, hostPath) {
      const reason = reasonFor(path, name, hostPath, false);
      if (reason !== undefined || included.length === 0) return reason;
      return included.some((pattern) => pattern.matches(path)) ? undefined : "not-included";
    },
    keepsDirectories: included.length === 0,
  };
}

/** A pattern with a slash also matches below any directory. */
function compileAll(
  patterns: readonly string[] | undefined,
  limits: FilesystemLimits,
): readonly GlobPattern[] {
  const options = { operation: "mount", ...limits };
  return (patterns ?? []).map((pattern) => {
    const compiled = compileGlob(pattern, options);
    if (!pattern.includes("/") || pattern.startsWith("**/")) return compiled;
    return compileGlob(`**/${pattern}`, { ...options, maxPatternCharacters: Infinity });
  });
}

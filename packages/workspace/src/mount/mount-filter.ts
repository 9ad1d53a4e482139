import { type FilesystemLimits, globMatcher, paths } from "@wink/filesystem";
import type { HostMount, LeftOutReason } from "./host-mount.js";

/** Returns why something is left out; `undefined` when it is copied. `path` is relative to the mount. */
export interface MountFilter {
  directory(path: string, name: string): LeftOutReason | undefined;
  file(path: string, name: string): LeftOutReason | undefined;
  /** Whether a directory is copied even if no file in it is copied. */
  readonly keepsDirectories: boolean;
}

export function mountFilter(mount: HostMount, limits: FilesystemLimits): MountFilter {
  const { includeGlob = [], excludeGlob = [] } = mount;
  const options = { operation: "mount", anyDepth: true, ...limits };
  const isIncluded = globMatcher(includeGlob, options);
  const isExcluded = globMatcher(excludeGlob, options);
  const directory = (path: string, name: string): LeftOutReason | undefined => {
    if (paths.isGitName(name)) return "git";
    return isExcluded(path) ? "excluded" : undefined;
  };
  return {
    directory,
    file(path, name) {
      const reason = directory(path, name);
      if (reason !== undefined || includeGlob.length === 0) return reason;
      return isIncluded(path) ? undefined : "not-included";
    },
    keepsDirectories: includeGlob.length === 0,
  };
}

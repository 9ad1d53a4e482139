import { type FilesystemLimits, globMatcher, paths } from "@wink/filesystem";
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
  const { includeGlob = [], excludeGlob = [] } = mount;
  const options = { operation: "mount", anyDepth: true, ...limits };
  const isIncluded = globMatcher(includeGlob, options);
  const isExcluded = globMatcher(excludeGlob, options);
  const reasonFor = (
    path: string,
    name: string,
    hostPath: string,
    isDirectory: boolean,
  ): LeftOutReason | undefined => {
    if (paths.isGitName(name)) return "git";
    if (isExcluded(path)) return "excluded";
    if (!mount.includeSecrets && hasSecretName(hostPath, isDirectory)) return "secret";
    return undefined;
  };
  return {
    directory: (path, name, hostPath) => reasonFor(path, name, hostPath, true),
    file(path, name, hostPath) {
      const reason = reasonFor(path, name, hostPath, false);
      if (reason !== undefined || includeGlob.length === 0) return reason;
      return isIncluded(path) ? undefined : "not-included";
    },
    keepsDirectories: includeGlob.length === 0,
  };
}

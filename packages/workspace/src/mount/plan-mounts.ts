import { type Filesystem, paths, type VirtualPath } from "@wink/filesystem";
import type { AllowedRoots, HostPlace } from "./allowed-roots.js";
import type { HostMount } from "./host-mount.js";
import { asMountError, mountError } from "./mount-error.js";

export interface MountPlan {
  readonly mount: HostMount;
  readonly place: HostPlace;
  readonly mountPath: VirtualPath;
  readonly isDirectory: boolean;
}

/** Resolves the host path and the workspace path of each mount. Rejects invalid mounts before any file is read. */
export function planMounts(
  mounts: readonly HostMount[],
  roots: AllowedRoots,
  filesystem: Pick<Filesystem, "mountPoint">,
): readonly MountPlan[] {
  const plans: MountPlan[] = [];
  for (const mount of mounts) {
    requireLimits(mount);
    const place = roots.locate(mount.hostPath, mount.followSymlinks ?? false);
    const isDirectory = asMountError(mount.hostPath, () => isDirectoryAt(place, mount));
    const mountPath = mountPathOf(mount, place, isDirectory, filesystem.mountPoint);
    for (const other of plans) {
      if (
        !paths.isWithin(mountPath, other.mountPath) &&
        !paths.isWithin(other.mountPath, mountPath)
      )
        continue;
      const reason = `it overlaps the mount of '${other.mount.hostPath}'; set a different mountPath`;
      throw mountError("EINVAL", mount.hostPath, reason);
    }
    plans.push({ mount, place, mountPath, isDirectory });
  }
  return plans;
}

function requireLimits({ hostPath, maxBytes, maxFiles, maxFileBytes }: HostMount): void {
  for (const [name, value] of Object.entries({ maxBytes, maxFiles, maxFileBytes })) {
    if (value === undefined || (Number.isSafeInteger(value) && value >= 0)) continue;
    throw mountError("EINVAL", hostPath, `${name} must be a whole number of at least 0`);
  }
}

function isDirectoryAt({ root, path }: HostPlace, { hostPath }: HostMount): boolean {
  if (path === "") return true;
  const stat = root.root.inParent(path, (parent, leaf) => parent.stat(leaf));
  if (stat?.isDirectory()) return true;
  if (stat?.isFile()) return false;
  throw mountError("EACCES", hostPath, "it is neither a file nor a directory");
}

function mountPathOf(
  mount: HostMount,
  place: HostPlace,
  isDirectory: boolean,
  mountPoint: string | undefined,
): VirtualPath {
  const given = mount.mountPath;
  let path = place.path;
  if (given !== undefined) {
    const normal = paths.normalizePath(given, { operation: "mount", mountPoint });
    const isFolder = normal.namesDirectory || normal.path === "";
    path =
      isDirectory || !isFolder
        ? normal.path
        : paths.joinPath(normal.path, paths.baseName(place.path));
  }
  if (path.split("/").some(paths.isGitName))
    throw mountError(
      "EACCES",
      given ?? mount.hostPath,
      "a mount inside a .git directory is not allowed",
    );
  return path;
}

import { paths, type VirtualPath } from "@wink/filesystem";
import type { AllowedRoot, AllowedRoots, HostPlace } from "./allowed-roots.js";

/** The host path and the workspace path of a mount. */
export interface MountedPlace {
  readonly mountPath: VirtualPath;
  readonly isDirectory: boolean;
  /** The canonical path and the identity of its allowed root. */
  readonly root: Pick<AllowedRoot, "canonical" | "identity">;
  readonly path: VirtualPath;
  /** The mounted commit of a repository; `undefined` for files on disk. */
  readonly commitId: string | undefined;
}

export interface MappedPlace extends HostPlace {
  /** The mounted path. Nothing above it is changed. */
  readonly base: VirtualPath;
}

/** Maps a workspace path to the host. Returns `undefined` when no mount contains it. */
export function mapToHost(
  path: VirtualPath,
  mounts: readonly MountedPlace[],
  roots: AllowedRoots,
): MappedPlace | undefined {
  const mount = mounts.find(({ mountPath, isDirectory }) =>
    isDirectory ? paths.isWithin(path, mountPath) : path === mountPath,
  );
  const root = mount && roots.roots.find(({ canonical }) => canonical === mount.root.canonical);
  if (mount === undefined || root === undefined) return undefined;
  const below = mount.mountPath === "" ? path : path.slice(mount.mountPath.length + 1);
  const parts = [mount.path, below].filter((part) => part !== "");
  return { root, path: parts.join("/") as VirtualPath, base: mount.path };
}

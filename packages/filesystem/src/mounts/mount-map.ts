import { isWithin, type VirtualPath } from "../path/virtual-path.js";
import type { AllowedRoot, AllowedRoots, HostPlace } from "./allowed-roots.js";

/** Where a mount came from and where it appears. */
export interface MountedPlace {
  readonly mountPath: VirtualPath;
  readonly isDirectory: boolean;
  /** The canonical path and the identity of the allowed root it lies in, and the path below that. */
  readonly root: Pick<AllowedRoot, "canonical" | "identity">;
  readonly path: VirtualPath;
}

export interface MappedPlace extends HostPlace {
  /** The place that was mounted: nothing above it is touched. */
  readonly base: VirtualPath;
}

/** Leads from a workspace path back to the host. `undefined` for what no mount covers. */
export function mapToHost(
  path: VirtualPath,
  mounts: readonly MountedPlace[],
  roots: AllowedRoots,
): MappedPlace | undefined {
  const mount = mounts.find(({ mountPath, isDirectory }) =>
    isDirectory ? isWithin(path, mountPath) : path === mountPath,
  );
  const root = mount && roots.roots.find(({ canonical }) => canonical === mount.root.canonical);
  if (mount === undefined || root === undefined) return undefined;
  const below = mount.mountPath === "" ? path : path.slice(mount.mountPath.length + 1);
  const parts = [mount.path, below].filter((part) => part !== "");
  return { root, path: parts.join("/") as VirtualPath, base: mount.path };
}

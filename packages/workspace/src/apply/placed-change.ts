import { paths, type TreeChange, type VirtualPath } from "@wink/filesystem";
import { temporaryName } from "@wink/filesystem/host";
import type { AllowedRoots } from "../mount/allowed-roots.js";
import type { MappedPlace, MountedPlace } from "../mount/mount-map.js";
import type { DirectorySide, Side, Step } from "./apply-step.js";
import type { HostState } from "./host-state.js";

export interface PlanOptions {
  readonly roots: AllowedRoots;
  readonly mounts: readonly MountedPlace[];
  readonly onConflict: "refuse" | "merge";
  /** The directory that the workspace has at this path now, if there is one. */
  readonly directoryAt: DirectoryAt;
}

export type DirectoryAt = (path: VirtualPath) => Promise<DirectorySide | undefined>;

/** A change at one host path. A move is split into a removal and an addition. */
export interface PlacedChange {
  readonly workspacePath: VirtualPath;
  readonly place: MappedPlace;
  readonly before: TreeChange["before"];
  readonly after: TreeChange["after"];
  readonly host: HostState;
}

export function stepOf(
  { place, workspacePath }: Pick<PlacedChange, "place" | "workspacePath">,
  before: Side,
  after: Side,
): Step {
  const { path } = place;
  return { root: place.root.root, path, workspacePath, temporary: temporaryName(), before, after };
}

/** The directories that contain `path`, innermost first, excluding `base`. */
export function directoriesAbove(path: VirtualPath, base: VirtualPath): VirtualPath[] {
  const above: VirtualPath[] = [];
  for (let at = paths.parentPath(path); at !== base && at !== ""; at = paths.parentPath(at))
    above.push(at);
  return above;
}

const ids = new WeakMap<object, number>();
let lastId = 0;

/** A map key for a path in a root. */
export function keyOf(root: object, path: VirtualPath): string {
  let id = ids.get(root);
  if (id === undefined) {
    id = ++lastId;
    ids.set(root, id);
  }
  return `${id}:${path}`;
}

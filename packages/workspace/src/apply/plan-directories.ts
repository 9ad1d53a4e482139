import { paths, type VirtualPath } from "@wink/filesystem";
import type { ApplyConflict } from "../error/apply-error.js";
import type { AllowedRoot } from "../mount/allowed-roots.js";
import type { Step } from "./apply-step.js";
import { type HostState, readHostState } from "./host-state.js";
import {
  directoriesAbove,
  keyOf,
  type PlacedChange,
  type PlanOptions,
  stepOf,
} from "./placed-change.js";

interface DirectoryPlan {
  /** Innermost first. */
  readonly removed: readonly Step[];
  /** Outermost first. */
  readonly made: readonly Step[];
  /** The steps of `made` and `removed` that are changes themselves, not only parents of files. */
  readonly asked: readonly Step[];
  readonly conflicts: readonly ApplyConflict[];
}

interface Spot {
  readonly root: AllowedRoot;
  readonly path: VirtualPath;
  readonly workspacePath: VirtualPath;
}

/**
 * Plans directories: makes the ones that new files need, and removes the ones that the workspace no longer has, if they
 * are empty.
 */
export async function planDirectories(
  changes: readonly PlacedChange[],
  removals: readonly Step[],
  arrivals: readonly Step[],
  options: PlanOptions,
): Promise<DirectoryPlan> {
  const conflicts: ApplyConflict[] = [];
  const gone = new Set(removals.map(({ root, path }) => keyOf(root, path)));
  const coming = new Set(arrivals.map(({ root, path }) => keyOf(root, path)));
  const taken = new Set(arrivals.map(({ root, path }) => keyOf(root, paths.parentPath(path))));

  const removed: Step[] = [];
  const asked: Step[] = [];
  const empty = new Set(changes.map(({ before }) => before?.kind === "directory" && before.path));
  for (const spot of await vanished(changes, options)) {
    const { root } = spot.root;
    const host = readHostState(root, spot.path);
    if (host.kind !== "directory" || taken.has(keyOf(root, spot.path))) continue;
    const isEmpty = namesIn(spot).every((name) =>
      gone.has(keyOf(root, paths.joinPath(spot.path, name))),
    );
    if (!isEmpty) continue;
    gone.add(keyOf(root, spot.path));
    const place = { ...spot, base: spot.path };
    const step = stepOf({ place, workspacePath: spot.workspacePath }, host, { kind: "absent" });
    removed.push(step);
    if (empty.has(spot.workspacePath)) asked.push(step);
  }

  const made = new Map<string, Step>();
  for (const change of changes) {
    const { after, place, workspacePath } = change;
    const isAsked = after?.kind === "directory";
    if (!isAsked && !coming.has(keyOf(place.root.root, place.path))) continue;
    if (
      !isAsked &&
      change.host.kind === "directory" &&
      !gone.has(keyOf(place.root.root, place.path))
    )
      conflicts.push({ path: workspacePath, reason: "blocked" });
    const above = directoriesAbove(place.path, place.base).reverse();
    for (const path of isAsked ? [...above, place.path] : above) {
      const key = keyOf(place.root.root, path);
      const isNew = gone.has(key) || made.has(keyOf(place.root.root, paths.parentPath(path)));
      const host: HostState = isNew ? { kind: "absent" } : readHostState(place.root.root, path);
      if (host.kind === "directory" || made.has(key)) continue;
      if (host.kind !== "absent")
        conflicts.push({ path: workspacePath, reason: host.kind === "file" ? "blocked" : "link" });
      const spot = { place: { ...place, path }, workspacePath };
      const shown = shownPath(workspacePath, place.path, path);
      const side = (await options.directoryAt(shown)) ?? { kind: "directory", mode: 0o755 };
      const step = stepOf(spot, { kind: "absent" }, side);
      made.set(key, step);
      if (path === place.path) asked.push(step);
    }
  }
  return { removed, made: [...made.values()].sort(byDepth), asked, conflicts };
}

/** The host directories that the workspace no longer has, innermost first. */
async function vanished(
  changes: readonly PlacedChange[],
  { directoryAt }: PlanOptions,
): Promise<Spot[]> {
  const spots = new Map<string, Spot>();
  for (const { before, after, place, workspacePath } of changes) {
    if (before === undefined || after?.kind === before.kind) continue;
    const { root, base } = place;
    const paths = directoriesAbove(place.path, base);
    if (before.kind === "directory") paths.unshift(place.path);
    for (const path of paths) {
      const key = keyOf(root.root, path);
      const shown = shownPath(workspacePath, place.path, path);
      if (spots.has(key) || (await directoryAt(shown))) continue;
      spots.set(key, { root, path, workspacePath: shown });
    }
  }
  return [...spots.values()].sort((a, b) => -byDepth(a, b));
}

/** The workspace path of `directory`, which contains the host path `path` of the file `workspacePath`. */
function shownPath(
  workspacePath: VirtualPath,
  path: VirtualPath,
  directory: VirtualPath,
): VirtualPath {
  return workspacePath.slice(
    0,
    workspacePath.length - (path.length - directory.length),
  ) as VirtualPath;
}

function namesIn({ root, path }: Spot): string[] {
  const open = root.root.enter(path);
  try {
    return open.entries().map(({ name }) => name);
  } finally {
    root.root.leave(open);
  }
}

function byDepth(a: { readonly path: string }, b: { readonly path: string }): number {
  return a.path.split("/").length - b.path.split("/").length;
}

import { paths, type TreeChange } from "@wink/filesystem";
import { TimeSlices } from "@wink/filesystem/host";
import type { ApplyConflict } from "../error/apply-error.js";
import { mapToHost } from "../mount/mount-map.js";
import type { Step } from "./apply-step.js";
import { decideFile } from "./decide-file.js";
import { readHostState } from "./host-state.js";
import { isNeverApplied } from "./never-applied.js";
import {
  directoriesAbove,
  keyOf,
  type PlacedChange,
  type PlanOptions,
  stepOf,
} from "./placed-change.js";
import { planDirectories } from "./plan-directories.js";

export interface ApplyPlan {
  /** In execution order: removals, then directories, then files. */
  readonly steps: readonly Step[];
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  readonly merged: readonly string[];
  readonly outside: readonly string[];
  readonly conflicts: readonly ApplyConflict[];
}

/** Plans the steps for the host. Reads every affected path and changes nothing. */
export async function planApply(
  changes: readonly TreeChange[],
  options: PlanOptions,
): Promise<ApplyPlan> {
  const outside: string[] = [];
  const placed = new Map<string, PlacedChange>();
  const conflicts: ApplyConflict[] = [];
  const slices = new TimeSlices();
  for (const { before, after } of changes.flatMap(splitMove)) {
    const workspacePath = (after ?? before)?.path;
    if (workspacePath === undefined) continue;
    const place = mapToHost(workspacePath, options.mounts, options.roots);
    if (place === undefined || isNeverApplied(workspacePath)) {
      outside.push(workspacePath);
      continue;
    }
    const key = `${place.root.canonical}\0${place.path}`;
    const earlier = placed.get(key);
    if (earlier !== undefined && earlier.workspacePath !== workspacePath)
      conflicts.push({ path: workspacePath, reason: "overlap" });
    // A change of kind arrives as a removal and an addition of the same path.
    const whole = { before: before ?? earlier?.before, after: after ?? earlier?.after };
    const host = readHostState(place.root.root, place.path);
    placed.set(key, { workspacePath, place, ...whole, host });
    if (slices.isOver()) await slices.pause();
  }
  for (const [key, change] of placed)
    if (isBelowReplacedLink(change, placed))
      placed.set(key, { ...change, host: { kind: "absent" } });

  const removals: Step[] = [];
  const arrivals: Step[] = [];
  const merged: string[] = [];
  for (const change of placed.values()) {
    const decision = await decideFile(change, options.onConflict);
    if (slices.isOver()) await slices.pause();
    if (decision === undefined) continue;
    if ("conflict" in decision) {
      conflicts.push({ path: change.workspacePath, reason: decision.conflict });
      continue;
    }
    if (decision.merged) merged.push(change.workspacePath);
    const step = stepOf(change, decision.before, decision.after);
    (isRemoval(step) ? removals : arrivals).push(step);
  }
  const directories = await planDirectories([...placed.values()], removals, arrivals, options);
  const { asked } = directories;
  conflicts.push(...directories.conflicts);
  return {
    steps: inOrder(removals, directories.removed, directories.made, arrivals),
    written: pathsOf([...arrivals, ...asked.filter((step) => !isRemoval(step))]),
    deleted: pathsOf([...removals, ...asked.filter(isRemoval)]),
    merged: merged.sort(paths.compareBytes),
    outside: [...new Set(outside)].sort(paths.compareBytes),
    conflicts: uniqueConflicts(conflicts),
  };
}

function isRemoval({ after }: Step): boolean {
  return after.kind === "absent";
}

/** Whether a link of the host is above the path, and the workspace has a directory in its place. */
function isBelowReplacedLink(
  { place, host }: PlacedChange,
  placed: ReadonlyMap<string, PlacedChange>,
): boolean {
  if (host.kind !== "below-link") return false;
  return directoriesAbove(place.path, place.base).some(
    (path) => placed.get(`${place.root.canonical}\0${path}`)?.host.kind === "symlink",
  );
}

function splitMove({ type, before, after }: TreeChange): Pick<TreeChange, "before" | "after">[] {
  if (type !== "renamed") return [{ before, after }];
  return [
    { before, after: undefined },
    { before: undefined, after },
  ];
}

/**
 * Removals, then directories, then files. A change of kind (a file becomes a directory) is one step, so that each path
 * has exactly one state before and one after.
 */
function inOrder(
  removals: readonly Step[],
  removed: readonly Step[],
  made: readonly Step[],
  arrivals: readonly Step[],
): Step[] {
  const leaving = new Map(
    [...removals, ...removed].map((step) => [keyOf(step.root, step.path), step]),
  );
  const coming = [...made, ...arrivals].map((step) => {
    const key = keyOf(step.root, step.path);
    const earlier = leaving.get(key);
    leaving.delete(key);
    return earlier === undefined ? step : { ...step, before: earlier.before };
  });
  return [...leaving.values(), ...coming];
}

function pathsOf(steps: readonly Pick<Step, "workspacePath">[]): string[] {
  return steps.map(({ workspacePath }) => workspacePath).sort(paths.compareBytes);
}

function uniqueConflicts(conflicts: readonly ApplyConflict[]): ApplyConflict[] {
  const byPath = new Map<string, ApplyConflict>();
  for (const conflict of conflicts)
    if (!byPath.has(conflict.path)) byPath.set(conflict.path, conflict);
  return [...byPath.values()].sort((a, b) => paths.compareBytes(a.path, b.path));
}

import { fstatSync, futimesSync } from "node:fs";
import { paths, type VirtualPath } from "@wink/filesystem";
import { type HostRoot, tolerating } from "@wink/filesystem/host";
import type { Step } from "./apply-step.js";
import { keyOf } from "./placed-change.js";

/**
 * The time of a directory before and after an apply, in milliseconds. `undefined` where it does not exist.
 *
 * Each change of an entry sets the time of its directory. So an apply sets the times itself when all its steps are
 * done. An undo then finds out whether another program changed the directory since, and otherwise sets the old time.
 */
export interface DirectoryTime {
  readonly root: HostRoot;
  readonly path: VirtualPath;
  readonly before: number | undefined;
  readonly after: number | undefined;
}

/** The times of all directories that the steps make, remove or change. Call it before the steps. */
export function planTimes(steps: readonly Step[]): DirectoryTime[] {
  const nowMs = Date.now();
  const times = new Map<string, DirectoryTime>();
  for (const { root, path, before, after } of steps) {
    if (before.kind === "directory" || after.kind === "directory")
      times.set(keyOf(root, path), {
        root,
        path,
        before: before.kind === "directory" ? before.modifiedAtMs : undefined,
        after: after.kind === "directory" ? (after.modifiedAtMs ?? nowMs) : undefined,
      });
    const parent = paths.parentPath(path);
    const key = keyOf(root, parent);
    if (times.has(key)) continue;
    const found = timeAt(root, parent);
    if (found !== undefined) times.set(key, { root, path: parent, before: found, after: nowMs });
  }
  return [...times.values()];
}

/**
 * The times for an undo of some steps. A directory that no other program changed gets its old time with its last step,
 * and keeps the time of the apply until then, so that a later undo finds it unchanged.
 */
export function planUndoTimes(
  back: readonly Step[],
  times: readonly DirectoryTime[],
  rest: readonly Step[],
): readonly DirectoryTime[] {
  const known = new Map(unchangedSince(times).map((time) => [keyOf(time.root, time.path), time]));
  const kept = new Set(
    rest.flatMap(({ root, path }) => [keyOf(root, path), keyOf(root, paths.parentPath(path))]),
  );
  return planTimes(back).map((time) => {
    const key = keyOf(time.root, time.path);
    const found = known.get(key);
    return found ? { ...time, after: kept.has(key) ? found.after : found.before } : time;
  });
}

/** The directories that no other program has changed since the apply. */
export function unchangedSince(times: readonly DirectoryTime[]): readonly DirectoryTime[] {
  return times.filter(({ root, path, after }) => {
    if (after === undefined) return true;
    const found = timeAt(root, path);
    return found !== undefined && Math.round(found) === Math.round(after);
  });
}

/** Sets the times of one side. Only the owner of a directory may do that, so a refusal is not a failure. */
export function setTimes(times: readonly DirectoryTime[], side: "before" | "after"): void {
  for (const { root, path, [side]: timeMs } of times) {
    if (timeMs === undefined) continue;
    // Half a microsecond more, because Node cuts the fraction.
    const seconds = (timeMs + 0.0005) / 1000;
    inDirectory(root, path, (fd) => futimesSync(fd, seconds, seconds));
  }
}

function timeAt(root: HostRoot, path: VirtualPath): number | undefined {
  return inDirectory(root, path, (fd) => fstatSync(fd).mtimeMs);
}

function inDirectory<T>(root: HostRoot, path: VirtualPath, body: (fd: number) => T): T | undefined {
  return tolerating(
    ["ENOENT", "ENOTDIR", "ELOOP", "EPERM", "EACCES"],
    () => {
      const directory = root.enter(path);
      try {
        return body(directory.fd);
      } finally {
        root.leave(directory);
      }
    },
    undefined,
  );
}

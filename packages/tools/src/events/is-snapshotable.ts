import type { Filesystem, SnapshotableFilesystem } from "@wink/filesystem";

/** Whether a filesystem supports snapshots. It checks for the methods, so that any implementation counts. */
export function isSnapshotable(filesystem: Filesystem): filesystem is SnapshotableFilesystem {
  // This cast claims nothing about the values. It only allows access by name.
  const members = filesystem as unknown as Readonly<Record<string, unknown>>;
  return ["snapshot", "restore", "diff", "snapshots", "deleteSnapshot", "prune"].every(
    (name) => typeof members[name] === "function",
  );
}

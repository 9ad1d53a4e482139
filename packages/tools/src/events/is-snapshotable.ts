import type { Filesystem, SnapshotableFilesystem } from "@wink/filesystem";

/** Whether the states of a filesystem can be kept. It looks at the shape, so that anybody's counts. */
export function isSnapshotable(filesystem: Filesystem): filesystem is SnapshotableFilesystem {
  // A record of unknowns claims nothing; it only lets the names be looked up.
  const members = filesystem as unknown as Readonly<Record<string, unknown>>;
  return ["snapshot", "restore", "diff", "snapshots", "deleteSnapshot", "prune"].every(
    (name) => typeof members[name] === "function",
  );
}

import { normalizePath } from "../path/normalize-path.js";
import type { Filesystem } from "../protocol/filesystem.js";
import { FilesystemError, invalidArgument } from "../protocol/filesystem-error.js";
import type { SnapshotableFilesystem } from "../snapshots/filesystem-snapshot.js";
import { type FilesystemCall, wrapFilesystem } from "./wrap-filesystem.js";

const READS: readonly FilesystemCall["operation"][] = [
  "openRead",
  "openText",
  "diff",
  "snapshots",
  "verify",
  "exportSnapshot",
  "fork",
];

/**
 * A view of the same files that refuses every change with `EROFS`, also of the stored snapshots.
 *
 * Changes to the original are visible through the view.
 */
export function readOnlyView(filesystem: SnapshotableFilesystem): SnapshotableFilesystem;
export function readOnlyView(filesystem: Filesystem): Filesystem;
export function readOnlyView(filesystem: Filesystem): Filesystem {
  if (typeof filesystem?.read !== "function")
    throw invalidArgument("readOnlyView", "the argument must be a filesystem");
  return wrapFilesystem(
    filesystem,
    async (call, run) => {
      const { operation, kind, paths, signal } = call;
      if (kind === "read" || READS.includes(operation)) return await run();
      // Checks the signal and the paths first, like a filesystem with the `readOnly` option.
      signal?.throwIfAborted();
      for (const each of paths)
        normalizePath(each, { operation, mountPoint: filesystem.mountPoint });
      const path = operation === "copy" ? paths[1] : paths[0];
      throw new FilesystemError("EROFS", { operation, path: path ?? "." });
    },
    { readOnly: true },
  );
}

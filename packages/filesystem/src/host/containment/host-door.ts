import type { VirtualPath } from "../../path/virtual-path.js";
import { FilesystemError } from "../../protocol/filesystem-error.js";
import { fromNodeError } from "../process/from-node-error.js";
import type { HostRoot } from "./host-root.js";
import type { PinnedDirectory } from "./pinned-directory.js";
import { isBelowOwnTemporary } from "./temporary-claims.js";

/**
 * Runs every host call. Refuses paths to temporary files of this process and converts host errors to
 * `FilesystemError`.
 */
export class HostDoor {
  readonly root: HostRoot;

  constructor(root: HostRoot) {
    this.root = root;
  }

  /** Runs `body` with the open parent directory of `path` and the last segment. */
  inParent<T>(
    operation: string,
    path: VirtualPath,
    body: (parent: PinnedDirectory, leaf: string) => T,
  ): T {
    this.requireReachable(operation, path);
    try {
      return this.root.inParent(path, body);
    } catch (error) {
      throw fromNodeError(error, operation, path);
    }
  }

  /** Runs `body` with the directory at `path` open. */
  inDirectory<T>(operation: string, path: VirtualPath, body: (open: PinnedDirectory) => T): T {
    this.requireReachable(operation, path);
    try {
      return this.root.inDirectory(path, body);
    } catch (error) {
      throw fromNodeError(error, operation, path);
    }
  }

  /** Rejects with the reason of `signal` if it was aborted. */
  async slowly<T>(
    operation: string,
    path: VirtualPath,
    body: () => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T> {
    this.requireReachable(operation, path);
    try {
      this.root.requireOpen();
      return await body();
    } catch (error) {
      signal?.throwIfAborted();
      throw fromNodeError(error, operation, path);
    }
  }

  /** Refuses a path through a temporary file that this process is writing. */
  requireReachable(operation: string, path: VirtualPath): void {
    if (!isBelowOwnTemporary(path)) return;
    throw new FilesystemError("EACCES", {
      operation,
      path,
      reason: "a temporary file that is being written",
    });
  }
}

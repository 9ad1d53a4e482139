import type { CallOptions } from "../protocol/filesystem.js";
import type { FileChange } from "../snapshots/change-set.js";
import type { FilesystemSnapshot } from "../snapshots/filesystem-snapshot.js";
import type { ApplyConflict } from "./apply-error.js";

export interface ChangesOptions {
  /** A state of the workspace to compare with. @default what the host has: what was mounted or last applied */
  readonly since?: FilesystemSnapshot | undefined;
}

export interface ApplyOptions extends CallOptions {
  /** Finds out what would be done, conflicts included, and does nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /**
   * What to do about a file that is no longer on the host as it was mounted. `merge` combines
   * changes of different lines of a text; where that cannot be done it refuses too. @default "refuse"
   */
  readonly onConflict?: "refuse" | "merge" | undefined;
}

/** Paths are those of the workspace, in byte order. */
export interface ApplyReport {
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Those of `written` that hold changes of both sides. */
  readonly merged: readonly string[];
  /** What no mount covers, so that it has no place on the host, and what is in a `.git`. Nothing was done about it. */
  readonly outside: readonly string[];
  /** Empty, except after a dry run. */
  readonly conflicts: readonly ApplyConflict[];
  /** For `undo`. `undefined` when there was nothing to do, and after a dry run. */
  readonly undoToken: string | undefined;
}

/** What became of a workspace since its files were copied from the host, less what is in a `.git`. */
export interface WorkspaceChanges {
  files(options?: CallOptions): Promise<readonly FileChange[]>;
  /** A unified patch that `git apply` takes. Its paths are those of the workspace. */
  toPatch(options?: CallOptions): Promise<string>;
  /**
   * Writes the changes to the host: all of them or none. Killed in the middle, they are finished or
   * undone by the next `mountHost` or `recoverApply`. What was left out of the mount is never touched.
   * Rejects with an `ApplyConflictError` that names every file where the host has changed meanwhile.
   */
  apply(options?: ApplyOptions): Promise<ApplyReport>;
  /**
   * Takes applied changes back. Rejects with an `ApplyConflictError`, and does nothing, when a
   * file was changed on the host since. The last 20 can be undone.
   */
  undo(undoToken: string): Promise<void>;
}

import type { CallOptions, ChangeSet, FileChange, FilesystemSnapshot } from "@wink/filesystem";
import type { ApplyProgress } from "../apply/apply-progress.js";
import type { ApplyConflict } from "../error/apply-error.js";
import type { CommitOptions, CommitReport } from "../git/commit-options.js";

export interface ChangesOptions {
  /** The state to compare with. @default the state of the host, as mounted or last applied */
  readonly since?: FilesystemSnapshot | undefined;
}

export interface ApplyOptions extends CallOptions {
  /** Reports what would be done, including conflicts, and changes nothing. @default false */
  readonly dryRun?: boolean | undefined;
  /**
   * What to do if a file on the host differs from the mounted one. `merge` combines changes to different lines of a
   * text and refuses otherwise. @default "refuse"
   */
  readonly onConflict?: "refuse" | "merge" | undefined;
  /** Called often while the changes are saved and written. What it throws is ignored. @default not called */
  readonly onProgress?: ((progress: ApplyProgress) => void) | undefined;
}

/** Paths are workspace paths, in byte order. */
export interface ApplyReport {
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** The files of `written` that contain changes of both sides. */
  readonly merged: readonly string[];
  /** Paths that no mount contains and paths inside a `.git`. They were not written. */
  readonly outside: readonly string[];
  /** Empty, except after a dry run. */
  readonly conflicts: readonly ApplyConflict[];
  /** The token for `undo`. `undefined` when there was nothing to do, and after a dry run. */
  readonly undoToken: string | undefined;
}

/** The changes of a workspace since its files were copied from the host. Changes inside a `.git` are excluded. */
export interface WorkspaceChanges {
  /** Both sides of each change, with their contents. */
  compare(options?: CallOptions): Promise<ChangeSet>;
  files(options?: CallOptions): Promise<readonly FileChange[]>;
  /** A unified patch for `git apply`. Its paths are workspace paths. */
  toPatch(options?: CallOptions): Promise<string>;
  /**
   * Writes all changes to the host, or none. If the process dies, the next `mountHost` or `recoverApply` finishes or
   * undoes them. Files that were left out of the mount are never changed. Rejects with an `ApplyConflictError` that
   * lists every file that changed on the host since the mount.
   */
  apply(options?: ApplyOptions): Promise<ApplyReport>;
  /**
   * Commits all changes to a branch of the repository that the mounts are in. The work tree, the index, HEAD and the
   * stash do not change, and the changes can still be applied. Needs git. Rejects with an `ApplyConflictError` that lists
   * every file that differs on the branch, and with a `WorkspaceError` if the branch has moved or is checked out.
   */
  commit(options: CommitOptions): Promise<CommitReport>;
  /**
   * Undoes applied changes. Rejects with an `ApplyConflictError`, and changes nothing, when a file was changed on the
   * host since. The last 20 applies can be undone.
   */
  undo(undoToken: string): Promise<void>;
}

import type { RecoveredApply } from "../apply/run-steps.js";
import type { ChangesOptions, WorkspaceChanges } from "../apply/workspace-changes.js";
import type { MountLeftOut } from "../mount/host-mount.js";

export interface MountReport {
  readonly fileCount: number;
  readonly directoryCount: number;
  readonly totalBytes: number;
  /** One entry per mount, in the given order. */
  readonly mounts: readonly {
    readonly hostPath: string;
    readonly mountPath: string;
    readonly fileCount: number;
    readonly totalBytes: number;
  }[];
  /** Sorted by path, in byte order. */
  readonly leftOut: readonly MountLeftOut[];
  /** How interrupted applies of a dead process were completed. Usually empty. */
  readonly recovered: readonly RecoveredApply[];
}

/** A copy of host files. Later changes on the host do not affect it. */
export interface MountedWorkspace {
  readonly report: MountReport;
  /**
   * Resolves when the state to compare with is stored. Changes through the filesystem wait for it automatically. Await
   * it before another program, such as a shell, may change files in a mounted directory.
   */
  ready(): Promise<void>;
  /** The changes since the mount, to read or to write back. Throws `EINVAL` when `trackChanges` is off. */
  changes(options?: ChangesOptions): WorkspaceChanges;
}

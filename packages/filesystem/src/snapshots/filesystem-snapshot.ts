import type { CallOptions, Filesystem, TransactOptions } from "../protocol/filesystem.js";
import type { ChangeSet } from "./change-set.js";
import type { PathChange } from "./path-change.js";
import type { TreeEntry } from "./tree-view.js";

/**
 * A path that a snapshot does not contain, and the reason. A restore neither restores nor deletes it, unless it is
 * `special`.
 */
export interface LeftOut {
  readonly path: string;
  /**
   * `special`: a FIFO, socket or device. `excluded`: excluded by the host's policy. `too-large`: over `maxFileBytes`.
   */
  readonly reason: "special" | "excluded" | "too-large";
}

/** A state of a workspace that can be restored. Plain data, so you can store it in a session or as JSON. */
export interface FilesystemSnapshot {
  /** A UUID. */
  readonly snapshotId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The commit of a store on disk, or the version of a tree in memory. */
  readonly commitRef: string;
  readonly rootPath: string;
  /** A note for people. */
  readonly tag?: string | undefined;
  /** A name to find the snapshot. */
  readonly name?: string | undefined;
  /** Paths that existed but are not in the snapshot. Absent when the snapshot is complete. */
  readonly leftOut?: readonly LeftOut[] | undefined;
  /**
   * In a list of snapshots: why this one cannot be restored. Absent unless its reference or commit is damaged; `verify`
   * checks the rest.
   */
  readonly damaged?: string | undefined;
}

export interface SnapshotOptions extends CallOptions {
  /** A note for people. @default none */
  readonly tag?: string | undefined;
  /**
   * A name to find the snapshot: letters, digits, `_`, `-` and `.`. If the name exists, it moves to the new snapshot.
   * @default none
   */
  readonly name?: string | undefined;
}

export interface DiffOptions extends CallOptions {
  /**
   * Compares only these paths and everything below them. Current files are then read without a scan of the whole tree.
   * @default the whole tree
   */
  readonly paths?: readonly string[] | undefined;
}

/** A change of a snapshot, for `importSnapshot`. */
export interface SnapshotEdit {
  /** The snapshot to start from. */
  readonly onto: FilesystemSnapshot;
  /** Removed first, with everything below. A directory that becomes empty is removed too. @default none */
  readonly removed?: readonly string[] | undefined;
  /** Added, or put in the place of the node at the same path. */
  entries(): Iterable<TreeEntry> | AsyncIterable<TreeEntry>;
}

export interface PruneOptions extends CallOptions {
  /** Deletes snapshots older than this. @default no limit */
  readonly maxAgeMs?: number | undefined;
  /** Deletes all but the newest `maxCount` snapshots. @default no limit */
  readonly maxCount?: number | undefined;
  /** Deletes the oldest snapshots until the rest takes at most this many bytes. @default no limit */
  readonly maxBytes?: number | undefined;
  /** Whether named snapshots are never deleted. @default true */
  readonly keepNamed?: boolean | undefined;
}

export interface PruneReport {
  readonly deleted: readonly FilesystemSnapshot[];
  /** The bytes that the remaining snapshots take. */
  readonly heldBytes: number;
}

export interface VerifyReport {
  readonly snapshotCount: number;
  readonly objectCount: number;
  /** The snapshots that cannot be restored, with the reason. Empty when none is damaged. */
  readonly damaged: readonly { readonly snapshotId: string; readonly reason: string }[];
}

export interface BeginOptions extends CallOptions {
  /**
   * Also rolls back changes that were not made through the filesystem, such as a shell's. This requires a scan of the
   * whole tree. @default false
   */
  readonly full?: boolean | undefined;
  /**
   * The record that marks the transaction as committed if the process is killed before `commit` finishes. The outermost
   * transaction's record applies to all inner ones. @default none: the transaction is rolled back
   */
  readonly committedBy?: CommitRecord | undefined;
}

/**
 * A line in a file of this machine that commits a transaction, together with everything else that depends on that line.
 * Write it before `commit`, and only when nothing needs a rollback any more.
 */
export interface CommitRecord {
  /** An absolute path. */
  readonly file: string;
  /** Unique in the file, without the newline. */
  readonly line: string;
}

/** Changes that can still be rolled back. Inner transactions end first. Disposing an open transaction rolls it back. */
export interface FilesystemTransaction extends AsyncDisposable {
  /**
   * What has changed since the transaction began. Costs as much as the changes; only a transaction with `full` scans
   * the tree.
   */
  changes(): Promise<readonly PathChange[]>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** A filesystem with snapshots, diffs and transactions. */
export interface SnapshotableFilesystem extends Filesystem {
  snapshot(options?: SnapshotOptions): Promise<FilesystemSnapshot>;
  /**
   * Restores exactly the captured state and deletes everything newer. An interrupted restore is completed later.
   */
  restore(snapshot: FilesystemSnapshot, options?: CallOptions): Promise<void>;
  /** The changes between two snapshots, or between a snapshot and the current files. */
  diff(
    from: FilesystemSnapshot,
    to?: FilesystemSnapshot,
    options?: DiffOptions,
  ): Promise<ChangeSet>;
  /** All snapshots, newest first. Damaged ones come last with `damaged` set; they can only be deleted. */
  snapshots(options?: CallOptions): Promise<readonly FilesystemSnapshot[]>;
  deleteSnapshot(snapshot: FilesystemSnapshot, options?: CallOptions): Promise<void>;
  prune(options: PruneOptions): Promise<PruneReport>;
  /** Checks that every snapshot can be restored. */
  verify(options?: CallOptions): Promise<VerifyReport>;
  /** The snapshot as a tar archive, in chunks. */
  exportSnapshot(snapshot: FilesystemSnapshot, options?: CallOptions): AsyncIterable<Uint8Array>;
  /**
   * Creates a snapshot from a tar archive, or from entries whose paths are normal and whose directories come before their
   * contents, or from another snapshot and what to change in it. The files do not change until it is restored.
   */
  importSnapshot(
    archive:
      | AsyncIterable<Uint8Array>
      | Iterable<Uint8Array>
      | { entries(): Iterable<TreeEntry> | AsyncIterable<TreeEntry>; readonly onto?: undefined }
      | SnapshotEdit,
    options?: SnapshotOptions,
  ): Promise<FilesystemSnapshot>;
  /** An independent filesystem with the same content. Unchanged data is shared. */
  fork(options?: CallOptions): Promise<SnapshotableFilesystem>;
  /** A transaction that you end yourself. There is one stack of them for all callers; prefer `transact`. */
  begin(options?: BeginOptions): Promise<FilesystemTransaction>;
  transact<T>(
    body: (files: SnapshotableFilesystem) => Promise<T> | T,
    options?: TransactOptions,
  ): Promise<T>;
}

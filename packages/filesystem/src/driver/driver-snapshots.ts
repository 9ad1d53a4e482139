import type { MaybePromise } from "../protocol/maybe-promise.js";
import type {
  CommitRecord,
  FilesystemSnapshot,
  VerifyReport,
} from "../snapshots/filesystem-snapshot.js";
import type { TreeEntry, TreeView } from "../snapshots/tree-view.js";
import type { FilesystemDriver } from "./driver.js";

/** What a snapshot is to be known by. Names are checked before they come here. */
export interface SnapshotLabel {
  readonly tag?: string | undefined;
  readonly name?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DriverBeginOptions {
  readonly full: boolean;
  /** For a backend whose transactions outlive the process. */
  readonly committedBy?: CommitRecord | undefined;
}

export interface DriverTransaction {
  commit(): MaybePromise<void>;
  rollback(): MaybePromise<void>;
}

/**
 * The part of a backend that keeps states.
 *
 * The caller sees to it that calls come one at a time with those that change
 * files, that nothing is restored on a read-only filesystem, that names are
 * valid, and that transactions end innermost first. A store must refuse a
 * snapshot that is not its own (`UNKNOWN_SNAPSHOT`, `FOREIGN_SNAPSHOT`) before it touches
 * a file; `snapshot` may be forged data from a session, so trust its ids only
 * after finding them in the store, and nothing else of it at all.
 */
export interface DriverSnapshots {
  create(label: SnapshotLabel): MaybePromise<FilesystemSnapshot>;
  /** Every snapshot, the newest first. */
  list(): MaybePromise<readonly FilesystemSnapshot[]>;
  restore(snapshot: FilesystemSnapshot): MaybePromise<void>;
  delete(snapshots: readonly FilesystemSnapshot[]): MaybePromise<void>;
  /** What these snapshots hold together, in bytes. */
  heldBytes(snapshots: readonly FilesystemSnapshot[]): MaybePromise<number>;
  /** A captured state, or the files as they are now. */
  view(snapshot: FilesystemSnapshot | undefined): MaybePromise<TreeView>;
  /** Makes a snapshot of nodes from elsewhere, directories before what is in them. */
  add(
    entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
    label: SnapshotLabel,
  ): MaybePromise<FilesystemSnapshot>;
  verify(): MaybePromise<VerifyReport>;
  /** A backend that starts from the files as they are now and is independent from then on. */
  fork(): MaybePromise<FilesystemDriver>;
  /** Starts to remember what is changed through the driver; `full` also what is changed behind its back. */
  begin(options: DriverBeginOptions): MaybePromise<DriverTransaction>;
}

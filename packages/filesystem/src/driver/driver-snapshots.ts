import type { VirtualPath } from "../path/virtual-path.js";
import type { CallOptions } from "../protocol/call-options.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";
import type {
  CommitRecord,
  FilesystemSnapshot,
  VerifyReport,
} from "../snapshots/filesystem-snapshot.js";
import type { PathChange } from "../snapshots/path-change.js";
import type { TreeEntry, TreeView } from "../snapshots/tree-view.js";
import type { FilesystemDriver } from "./driver.js";

/** A driver of this package, which may have its own snapshots and transactions. */
export interface SnapshottingDriver extends FilesystemDriver {
  /** @default full copies are stored in memory */
  readonly snapshots?: DriverSnapshots | undefined;
}

/** The labels of a snapshot. Names are validated before they get here. */
export interface SnapshotLabel {
  readonly tag?: string | undefined;
  readonly name?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface DriverBeginOptions extends CallOptions {
  readonly full: boolean;
  /** The record that commits the transaction, for a backend whose transactions outlive the process. */
  readonly committedBy?: CommitRecord | undefined;
}

export interface DriverTransaction {
  /** What has changed since the transaction began. `pathChanges` computes it from two views. */
  changes(): MaybePromise<readonly PathChange[]>;
  commit(): MaybePromise<void>;
  rollback(): MaybePromise<void>;
}

/** Where an edited snapshot starts. */
export interface EditedSnapshot {
  readonly onto: FilesystemSnapshot;
  readonly removed: readonly VirtualPath[];
}

/**
 * The part of a backend that stores snapshots.
 *
 * The caller serialises these calls with changes to files, restores nothing on a read-only filesystem, validates
 * names, and ends transactions innermost first. A store must refuse a snapshot that it did not create for this
 * workspace with `UNKNOWN_SNAPSHOT`, before it touches a file. `snapshot` may be forged data from a session:
 * trust its ids only after finding them in the store, and trust no other field.
 */
export interface DriverSnapshots {
  create(label: SnapshotLabel): MaybePromise<FilesystemSnapshot>;
  /** Every snapshot, the newest first. */
  list(): MaybePromise<readonly FilesystemSnapshot[]>;
  restore(snapshot: FilesystemSnapshot): MaybePromise<void>;
  delete(snapshots: readonly FilesystemSnapshot[]): MaybePromise<void>;
  /** The total size of what these snapshots hold, in bytes. */
  heldBytes(snapshots: readonly FilesystemSnapshot[]): MaybePromise<number>;
  /** A snapshot, or the current files when `undefined`. */
  view(snapshot: FilesystemSnapshot | undefined, options?: CallOptions): MaybePromise<TreeView>;
  /**
   * Creates a snapshot from entries of another source. Directories come before their contents. With `edited`, the
   * snapshot starts with that one's content, without the paths of `removed`.
   */
  add(
    entries: Iterable<TreeEntry> | AsyncIterable<TreeEntry>,
    label: SnapshotLabel,
    edited?: EditedSnapshot,
  ): MaybePromise<FilesystemSnapshot>;
  verify(): MaybePromise<VerifyReport>;
  /** An independent backend that starts with the current files. */
  fork(options?: CallOptions): MaybePromise<SnapshottingDriver>;
  /** Starts recording changes made through the driver. With `full`, also changes made by other processes. */
  begin(options: DriverBeginOptions): MaybePromise<DriverTransaction>;
}

import type { CallOptions, Filesystem } from "../protocol/filesystem.js";
import type { ChangeSet } from "./change-set.js";

/** Something that a snapshot does not hold, and why. Restoring neither brings it back nor takes it away, unless it is `special`. */
export interface LeftOut {
  readonly path: string;
  /** `special` is a FIFO, socket or device; `excluded` what the host's policy leaves alone; `too-large` over `maxFileBytes`. */
  readonly reason: "special" | "excluded" | "too-large";
}

/** A state of a workspace to which it can return. Plain data: a session can keep it and JSON can carry it. */
export interface FilesystemSnapshot {
  /** A UUID. */
  readonly snapshotId: string;
  /** ISO 8601. */
  readonly createdAt: string;
  /** The commit of a store on disk, or the version of a tree in memory. */
  readonly commitRef: string;
  readonly rootPath: string;
  /** A remark for people. */
  readonly tag?: string | undefined;
  /** A name to find it by. */
  readonly name?: string | undefined;
  /** What was there and is not in it. Absent when everything is. */
  readonly leftOut?: readonly LeftOut[] | undefined;
  /** Why it cannot be restored, in a list. Absent unless its reference or commit is damaged; `verify` checks the rest. */
  readonly damaged?: string | undefined;
}

export interface SnapshotOptions extends CallOptions {
  /** A remark for people. @default none */
  readonly tag?: string | undefined;
  /** A name to find it by: letters, digits, `_`, `-` and `.`. Taking a name again moves it to the new snapshot. @default none */
  readonly name?: string | undefined;
}

export interface PruneOptions extends CallOptions {
  /** Deletes snapshots older than this. @default no limit */
  readonly maxAgeMs?: number | undefined;
  /** Keeps the newest this many. @default no limit */
  readonly maxCount?: number | undefined;
  /** Deletes the oldest until what the snapshots hold takes no more than this. @default no limit */
  readonly maxBytes?: number | undefined;
  /** Whether snapshots with a name stay whatever the other limits say. @default true */
  readonly keepNamed?: boolean | undefined;
}

export interface PruneReport {
  readonly deleted: readonly FilesystemSnapshot[];
  /** What the snapshots still hold, in bytes. */
  readonly heldBytes: number;
}

export interface VerifyReport {
  readonly snapshotCount: number;
  readonly objectCount: number;
  /** The snapshots that can no longer be restored, with the reason. Empty when all is well. */
  readonly damaged: readonly { readonly snapshotId: string; readonly reason: string }[];
}

export interface BeginOptions extends CallOptions {
  /**
   * Also undoes what is changed behind the filesystem's back, as by a shell. It
   * then costs a look at the whole tree. @default false
   */
  readonly full?: boolean | undefined;
  /**
   * Where it is written that the transaction counts as committed, for whoever finds it unfinished after the
   * process was killed. The outermost transaction decides for those inside it. @default it is taken back
   */
  readonly committedBy?: CommitRecord | undefined;
}

/**
 * A line in a file on this machine by which a transaction, and whatever else hangs on it, is committed at once.
 * Write it before `commit`, and only when nothing may be taken back any more.
 */
export interface CommitRecord {
  /** An absolute path. */
  readonly file: string;
  /** Like no other line of that file, and without its newline. */
  readonly line: string;
}

/** Changes that can still be taken back. They end innermost first. Left undecided, they are rolled back. */
export interface FilesystemTransaction extends AsyncDisposable {
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** A filesystem whose states can be kept, compared and returned to. */
export interface SnapshotableFilesystem extends Filesystem {
  snapshot(options?: SnapshotOptions): Promise<FilesystemSnapshot>;
  /** Brings back exactly what was captured and removes what came since. Never left half done. */
  restore(snapshot: FilesystemSnapshot, options?: CallOptions): Promise<void>;
  /** What changed from one snapshot to another, or to the files as they are now. */
  diff(
    from: FilesystemSnapshot,
    to?: FilesystemSnapshot,
    options?: CallOptions,
  ): Promise<ChangeSet>;
  /** Every snapshot, the newest first. Damaged ones come last and say so: they can only be deleted. */
  snapshots(options?: CallOptions): Promise<readonly FilesystemSnapshot[]>;
  deleteSnapshot(snapshot: FilesystemSnapshot, options?: CallOptions): Promise<void>;
  prune(options: PruneOptions): Promise<PruneReport>;
  /** Checks that every snapshot can be restored. */
  verify(options?: CallOptions): Promise<VerifyReport>;
  /** The snapshot as a tar archive, in pieces. */
  exportSnapshot(snapshot: FilesystemSnapshot, options?: CallOptions): AsyncIterable<Uint8Array>;
  /** Makes a snapshot of a tar archive. The files stay as they are until it is restored. */
  importSnapshot(
    archive: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    options?: SnapshotOptions,
  ): Promise<FilesystemSnapshot>;
  /** An independent filesystem that starts from here and shares what neither changes. */
  fork(options?: CallOptions): Promise<SnapshotableFilesystem>;
  begin(options?: BeginOptions): Promise<FilesystemTransaction>;
}

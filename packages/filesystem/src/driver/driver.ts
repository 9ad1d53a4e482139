import type { VirtualPath } from "../path/virtual-path.js";
import type { CallOptions, NodeKind, WriteMode } from "../protocol/filesystem.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";
import type { DriverAccelerators } from "./driver-accelerators.js";

export interface DriverStat {
  readonly kind: NodeKind;
  /** For a link, the length of its target. */
  readonly sizeBytes: number;
  /** Unix permission bits. @default 0o644, or 0o755 for a directory */
  readonly mode?: number | undefined;
  /** Milliseconds since 1970. @default unknown */
  readonly createdAtMs?: number | undefined;
  /** Milliseconds since 1970. @default unknown */
  readonly modifiedAtMs?: number | undefined;
  /** A token for the content, when the backend has one (an ETag, a hash). @default made from the content */
  readonly revision?: string | undefined;
}

/** The revision of the content just written, if the backend knows it. */
// biome-ignore lint/suspicious/noConfusingVoidType: a driver's `async write() {}` must fit.
export type NewRevision = string | void;

/** A child of a directory. A driver that has the attributes available adds them; otherwise `stat` is called. */
export interface DriverEntry extends Partial<Omit<DriverStat, "kind">> {
  readonly name: string;
  readonly kind: NodeKind;
}

/** What a node stores besides its content. A driver ignores what it does not store (see `stores`). */
export interface DriverAttributes extends CallOptions {
  /** Sets the permission bits. @default kept; 0o644 for a new file, 0o755 for a new directory */
  readonly permissions?: number | undefined;
  /** Sets the time of the last change, in milliseconds since 1970. @default the current time */
  readonly modifiedAtMs?: number | undefined;
}

export interface DriverWriteOptions extends DriverAttributes {
  /** Sets or clears the execute bits. `permissions` overrides it. @default kept; clear on a new file */
  readonly executable?: boolean | undefined;
  /** Stores a symbolic link: `bytes` is its target in UTF-8. Only for a driver that stores links. @default "file" */
  readonly kind?: "file" | "symlink" | undefined;
  /** Whether the caller never changes `bytes` later, so that a driver in memory can store them without a copy. @default false */
  readonly isOwned?: boolean | undefined;
}

/**
 * What a backend must implement: six methods over bytes.
 *
 * Everything a caller sees on `Filesystem` (pages, text, globs, grep, limits,
 * quotas, streams, links, error messages) is built on these once, in `createFilesystem`.
 *
 * A driver can rely on the following and does not need to check it:
 * - every path is normalised and inside the workspace;
 * - `read` gets an existing file or link, `list` an existing directory;
 * - the parent of a path given to `write` or `mkdir` is an existing directory, and the path given
 *   to `write` is not a directory;
 * - nothing is written when the filesystem is read-only;
 * - changes are serialised, also after an abort: the next change starts when the driver has answered.
 *
 * A driver copies the bytes that it stores, returns copies of stored bytes, and does not
 * change a list after returning it.
 *
 * A driver must enforce what only it can enforce atomically: `"create"` fails with `EEXIST`
 * when the file exists, and no symbolic link is followed. Any error other than
 * `FilesystemError` becomes `EIO`.
 *
 * Every method gets the caller's `signal`. The caller's promise rejects as soon as it is aborted, so a driver may ignore
 * it. A driver that stops its work throws the signal's reason and has changed nothing.
 */
export interface FilesystemDriver {
  /** Short name for logs and error reports, such as `memory`. */
  readonly name: string;
  /**
   * Where its files are, if that differs from the options, such as the directory of a fork.
   * @default the root of the options
   */
  readonly root?: string | undefined;
  /**
   * What it stores besides names and bytes: symbolic links, all permission bits, the time of the last change. A call
   * that needs something else is refused with `EINVAL`.
   * @default nothing
   */
  readonly stores?: readonly ("links" | "modes" | "times")[] | undefined;
  /** Describes `path` itself without following a link. Returns `undefined` when nothing can be reached there. */
  stat(path: VirtualPath, options: CallOptions): MaybePromise<DriverStat | undefined>;
  /** The direct children of a directory, in any order. */
  list(path: VirtualPath, options: CallOptions): MaybePromise<readonly DriverEntry[]>;
  /** Up to `length` bytes from `offset`, fewer only at the end. The content of a link is its target. */
  read(
    path: VirtualPath,
    offset: number,
    length: number,
    options: CallOptions,
  ): MaybePromise<Uint8Array>;
  /**
   * Writes a file or a link and its attributes. Appending no bytes to an existing file changes only its attributes; then
   * the revision and, without `modifiedAtMs`, the time stay.
   */
  write(
    path: VirtualPath,
    bytes: Uint8Array,
    mode: WriteMode,
    options: DriverWriteOptions,
  ): MaybePromise<NewRevision>;
  /** Creates one directory, or sets the given attributes of an existing one. */
  mkdir(path: VirtualPath, options: DriverAttributes): MaybePromise<void>;
  /** Removes one file, link or special file, or one empty directory. */
  remove(path: VirtualPath, options: CallOptions): MaybePromise<void>;

  /** Faster ways to do what the six methods do. @default none */
  readonly accelerate?: DriverAccelerators | undefined;
  /**
   * Stores the changes of a call, or undoes them if the call was aborted. It is called after each call that may have
   * changed files, even if the call failed. While a transaction of the driver is open it does nothing. If it fails, the
   * changes since the last `settle` must be undone, and the call rejects. @default every change is stored when it is
   * made
   */
  settle?(options: { readonly undo: boolean }): MaybePromise<void>;
  /** Releases descriptors, connections and temporary files. */
  close?(): MaybePromise<void>;
}

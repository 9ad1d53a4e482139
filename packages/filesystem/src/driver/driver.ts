import type { FileContent } from "../content/file-content.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { GlobMatch, NodeKind, Usage, WriteMode } from "../protocol/filesystem.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";
import type { DriverSnapshots } from "./driver-snapshots.js";

export interface DriverStat {
  readonly kind: NodeKind;
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

export type { MaybePromise };

/** The revision of the content just written, if the backend knows it. */
// biome-ignore lint/suspicious/noConfusingVoidType: a driver's `async write() {}` must fit.
export type NewRevision = string | void;

export interface DriverEntry {
  readonly name: string;
  readonly kind: NodeKind;
}

export interface DriverWriteOptions {
  /** Sets or clears the execute bits. @default kept; clear on a new file */
  readonly executable?: boolean | undefined;
}

/** One node found by a walk. */
export interface WalkEntry {
  readonly path: VirtualPath;
  /** The last segment of the path, if the walk has it available. */
  readonly name?: string | undefined;
  readonly kind: NodeKind;
  /** The cached result of `glob` for this node, if the walk caches it. */
  match?(): GlobMatch;
  /** The content of a file of at most `maxBytes`; `undefined` when it is larger or cannot be read. */
  load(maxBytes: number): MaybePromise<FileContent | undefined>;
  /** The same bytes without a copy, valid until the next `peek` of the walk. Only where that is cheaper than `load`. */
  peek?(maxBytes: number): Uint8Array | undefined;
}

/** Hints that a walk may use to skip files. */
export interface WalkOptions {
  /**
   * Returns `true` for contents that the caller does not need. A walk that has contents in memory may skip their
   * files.
   * @default none
   */
  readonly unwanted?: ((content: FileContent) => boolean) | undefined;
  /** Called for each directory that should be entered but cannot be read. */
  readonly onClosed?: ((path: VirtualPath) => void) | undefined;
}

/** Reads the bytes that the file had when it was opened. */
export interface DriverReader {
  readonly sizeBytes: number;
  read(offset: number, length: number): MaybePromise<Uint8Array>;
  close(): MaybePromise<void>;
}

/** Receives the bytes of a file. Nothing is visible before `commit`. */
export interface DriverWriter {
  write(bytes: Uint8Array): MaybePromise<void>;
  /** Replaces the content atomically. Fails with `EEXIST` in mode `create` when the file exists by then. */
  commit(): MaybePromise<NewRevision>;
  abort(): MaybePromise<void>;
}

/**
 * What a backend must implement: six methods over bytes.
 *
 * Everything a caller sees on `Filesystem` (pages, text, globs, grep, limits,
 * quotas, streams, error messages) is built on these once, in `createFilesystem`.
 *
 * A driver can rely on the following and does not need to check it:
 * - every path is normalised and inside the workspace;
 * - `read` gets an existing file, `list` an existing directory;
 * - the parent of a path given to `write` or `mkdir` exists, and the path given
 *   to `write` is not a directory;
 * - nothing is written when the filesystem is read-only;
 * - changes are serialised.
 *
 * A driver copies the bytes that it stores, returns copies of stored bytes, and does not
 * change a list after returning it.
 *
 * A driver must enforce what only it can enforce atomically: `"create"` fails with `EEXIST`
 * when the file exists, and no symbolic link escapes from the workspace. Any error other than
 * `FilesystemError` becomes `EIO`.
 */
export interface FilesystemDriver {
  /** Short name for logs and error reports, such as `memory`. */
  readonly name: string;
  /**
   * Where its files are, if that differs from the options, such as the directory of a fork.
   * @default the root of the options
   */
  readonly root?: string | undefined;
  /** Describes `path` itself without following a link. Returns `undefined` when nothing can be reached there. */
  stat(path: VirtualPath): MaybePromise<DriverStat | undefined>;
  /** The direct children of a directory, in any order. */
  list(path: VirtualPath): MaybePromise<readonly DriverEntry[]>;
  /** Up to `length` bytes from `offset`; fewer only at the end of the file. */
  read(path: VirtualPath, offset: number, length: number): MaybePromise<Uint8Array>;
  write(
    path: VirtualPath,
    bytes: Uint8Array,
    mode: WriteMode,
    options?: DriverWriteOptions,
  ): MaybePromise<NewRevision>;
  /** Creates one directory. It is not an error if it exists. */
  mkdir(path: VirtualPath): MaybePromise<void>;
  /** Removes one file, link or special file, or one empty directory. */
  remove(path: VirtualPath): MaybePromise<void>;

  // The following members are optional. Without them the six methods above do the same, but slower.

  /**
   * Whether `path` is exactly the path of a known file, so that it need not be normalised again. For backends that
   * can tell with one lookup; `false` is always allowed.
   */
  knows?(path: string): path is VirtualPath;
  /** The whole content of a file in one step; `undefined` when `path` is not a file of at most `maxBytes`. */
  load?(path: VirtualPath, maxBytes: number): MaybePromise<FileContent | undefined>;
  /**
   * `write` for well-formed text, for a backend that does not need to encode it. `sizeBytes` is its length in UTF-8.
   */
  writeText?(
    path: VirtualPath,
    text: string,
    sizeBytes: number,
    mode: WriteMode,
    options?: DriverWriteOptions,
  ): MaybePromise<NewRevision>;
  /** The current revision of a file. */
  revision?(path: VirtualPath): MaybePromise<string>;
  /**
   * Everything below `base`: files in the byte order of their paths, each directory just before its contents.
   * If `enter` returns `false` for a directory, the directory is reported but not entered.
   */
  walk?(
    base: VirtualPath,
    enter: (path: VirtualPath) => boolean,
    options?: WalkOptions,
  ): Iterable<WalkEntry> | AsyncIterable<WalkEntry>;
  usage?(options?: { readonly signal?: AbortSignal | undefined }): MaybePromise<Usage>;
  /** Whether `usage` is so cheap that it need not be cached. @default false */
  readonly countsUsage?: boolean | undefined;
  /**
   * Copies a file, or a directory with its contents, in one step. The target does not exist, or is a file to replace.
   * Copies nothing when `signal` is aborted.
   */
  clone?(
    from: VirtualPath,
    to: VirtualPath,
    options?: { readonly signal?: AbortSignal | undefined },
  ): MaybePromise<void>;
  /**
   * Moves a file, or a directory with its contents, in one step. The target does not exist, or is a file to replace.
   */
  rename?(from: VirtualPath, to: VirtualPath): MaybePromise<void>;
  /**
   * Removes a directory with its contents without following links. After an abort it may stop half-way and throw the
   * signal's reason.
   */
  removeTree?(
    path: VirtualPath,
    options?: { readonly signal?: AbortSignal | undefined },
  ): MaybePromise<void>;
  /** The backend's own snapshots and transactions. Without it, full copies are stored in memory. */
  readonly snapshots?: DriverSnapshots | undefined;
  openRead?(path: VirtualPath): MaybePromise<DriverReader>;
  openWrite?(
    path: VirtualPath,
    mode: WriteMode,
    options?: DriverWriteOptions,
  ): MaybePromise<DriverWriter>;
  /** Releases descriptors, connections and temporary files. */
  close?(): MaybePromise<void>;
}

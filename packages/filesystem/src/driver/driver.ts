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

/** The revision of what was just written, from a backend that knows it; nothing from the others. */
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

/** One node met on a walk. */
export interface WalkEntry {
  readonly path: VirtualPath;
  /** The last segment of the path, from a walk that has it at hand. */
  readonly name?: string | undefined;
  readonly kind: NodeKind;
  /** What `glob` answers for it, from a walk that keeps it. */
  match?(): GlobMatch;
  /** The content of a file of at most `maxBytes`; `undefined` when it is larger or cannot be read. */
  load(maxBytes: number): MaybePromise<FileContent | undefined>;
  /** The same bytes as they are, lent until the next `peek` on the walk, where that is cheaper than `load`. */
  peek?(maxBytes: number): Uint8Array | undefined;
}

/** A text, looked for in files of at most `maxBytes`. */
export interface Needle {
  readonly text: string;
  readonly maxBytes: number;
}

/** What a walk may heed. */
export interface WalkOptions {
  /** Says which contents nobody needs. A walk that has them at hand may pass over their files. @default none */
  readonly unwanted?: ((content: FileContent) => boolean) | undefined;
  /** What every wanted file holds. A walk that can tell quickly may pass over the text files that do not. @default nothing */
  readonly needle?: Needle | undefined;
  /** Hears of each directory that should be entered and may not be read. */
  readonly onClosed?: ((path: VirtualPath) => void) | undefined;
}

/** Bytes pinned at the moment of opening. */
export interface DriverReader {
  readonly sizeBytes: number;
  read(offset: number, length: number): MaybePromise<Uint8Array>;
  close(): MaybePromise<void>;
}

/** Bytes on their way in. Nothing is visible before `commit`. */
export interface DriverWriter {
  write(bytes: Uint8Array): MaybePromise<void>;
  /** Puts the content in place in one step; fails with `EEXIST` in mode `create` when a file is there by then. */
  commit(): MaybePromise<NewRevision>;
  abort(): MaybePromise<void>;
}

/**
 * What a backend must be able to do: six methods over bytes.
 *
 * Everything a caller sees on `Filesystem` (pages, text, globs, grep, limits,
 * quotas, streams, error messages) is built on these once, in `createFilesystem`.
 *
 * A driver may rely on the following, and so need not check it:
 * - every path is normalised and inside the workspace;
 * - `read` names an existing file, `list` an existing directory;
 * - the parent of a path given to `write` or `mkdir` exists, and no directory
 *   stands where `write` is to put a file;
 * - nothing is written when the filesystem is read-only;
 * - calls that change something come one at a time.
 *
 * A driver owns what it keeps: it copies the bytes it is given to keep, hands out
 * copies of its own, and does not change a list that it has handed out.
 *
 * A driver must enforce what only it can enforce atomically: that `"create"`
 * fails with `EEXIST` when the file is there, and that no symbolic link leads
 * out of the workspace. What it throws besides `FilesystemError` becomes `EIO`.
 */
export interface FilesystemDriver {
  /** Short name for logs and error reports, such as `memory`. */
  readonly name: string;
  /** The place of its files where it has one of its own, such as a fork's directory. @default that of the options */
  readonly root?: string | undefined;
  /** Describes `path` itself (a link is not followed), or answers `undefined` when nothing can be reached there. */
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
  /** Makes one directory. Making one that exists is not an error. */
  mkdir(path: VirtualPath): MaybePromise<void>;
  /** Removes one file, link or special file, or one empty directory. */
  remove(path: VirtualPath): MaybePromise<void>;

  // What follows is optional: without it the same is done by the six above, slower.

  /**
   * Whether a file is known to be at a path it was given before, written just like this: then the normaliser need not
   * look at it again. For a backend that can tell by one look-up; it may say no to any path.
   */
  knows?(path: string): path is VirtualPath;
  /** A file's whole content in one step; `undefined` when `path` is not a file of at most `maxBytes`. */
  load?(path: VirtualPath, maxBytes: number): MaybePromise<FileContent | undefined>;
  /** `write` for well-formed text, for a backend that need not encode it. `sizeBytes` is its length in UTF-8. */
  writeText?(
    path: VirtualPath,
    text: string,
    sizeBytes: number,
    mode: WriteMode,
    options?: DriverWriteOptions,
  ): MaybePromise<NewRevision>;
  /** The token of a file's content as it is now. */
  revision?(path: VirtualPath): MaybePromise<string>;
  /**
   * Everything below `base`: files in the byte order of their paths, each directory just before what is in
   * it. A directory for which `enter` says no is reported but not entered.
   */
  walk?(
    base: VirtualPath,
    enter: (path: VirtualPath) => boolean,
    options?: WalkOptions,
  ): Iterable<WalkEntry> | AsyncIterable<WalkEntry>;
  usage?(options?: { readonly signal?: AbortSignal | undefined }): MaybePromise<Usage>;
  /** Says that `usage` costs next to nothing, so that nobody needs to keep count beside it. @default false */
  readonly countsUsage?: boolean | undefined;
  /** Copies a file or a directory with all that is in it to a path where nothing is (or a file is, to be replaced), in one step; or not at all, when `signal` is aborted meanwhile. */
  clone?(
    from: VirtualPath,
    to: VirtualPath,
    options?: { readonly signal?: AbortSignal | undefined },
  ): MaybePromise<void>;
  /** Moves a file or a directory with all that is in it to a path where nothing is (or a file is, to be replaced), in one step. */
  rename?(from: VirtualPath, to: VirtualPath): MaybePromise<void>;
  /** Removes a directory with everything in it and follows no link. Once `signal` is aborted it may stop half-way, with the signal's reason. */
  removeTree?(
    path: VirtualPath,
    options?: { readonly signal?: AbortSignal | undefined },
  ): MaybePromise<void>;
  /** Snapshots and transactions of the backend's own making. Without it whole copies are kept in memory. */
  readonly snapshots?: DriverSnapshots | undefined;
  openRead?(path: VirtualPath): MaybePromise<DriverReader>;
  openWrite?(
    path: VirtualPath,
    mode: WriteMode,
    options?: DriverWriteOptions,
  ): MaybePromise<DriverWriter>;
  /** Lets go of descriptors, connections and temporary files. */
  close?(): MaybePromise<void>;
}

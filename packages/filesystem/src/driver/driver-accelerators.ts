import type { FileContent } from "../content/file-content.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { CallOptions, GlobMatch, NodeKind, Usage, WriteMode } from "../protocol/filesystem.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";
import type { DriverWriteOptions, NewRevision } from "./driver.js";

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
export interface WalkOptions extends CallOptions {
  /**
   * Returns `true` for contents that the caller does not need. A walk that has contents in memory may skip their
   * files.
   * @default none
   */
  readonly unwanted?: ((content: FileContent) => boolean) | undefined;
  /**
   * Returns `false` for files whose content the caller does not need. A walk that loads contents ahead skips them.
   * @default all may be needed
   */
  readonly select?: ((path: VirtualPath) => boolean) | undefined;
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

/** Optional members of a driver. Without them its six methods do the same, but slower. */
export interface DriverAccelerators {
  /** The whole content of a file in one step; `undefined` when `path` is not a file of at most `maxBytes`. */
  load?(
    path: VirtualPath,
    maxBytes: number,
    options: CallOptions,
  ): MaybePromise<FileContent | undefined>;
  /**
   * `write` for well-formed text, for a backend that does not need to encode it. `sizeBytes` is its length in UTF-8.
   */
  writeText?(
    path: VirtualPath,
    text: string,
    sizeBytes: number,
    mode: WriteMode,
    options: DriverWriteOptions,
  ): MaybePromise<NewRevision>;
  /** SHA-256 of a file's bytes in hexadecimal digits, for a backend that has it available. */
  contentId?(path: VirtualPath, options: CallOptions): MaybePromise<string>;
  /** The current revision of a file. */
  revision?(path: VirtualPath, options: CallOptions): MaybePromise<string>;
  /**
   * Everything below `base`: files in the byte order of their paths, each directory just before its contents. Links are
   * reported and not entered. If `enter` returns `false` for a directory, the directory is reported but not entered.
   */
  walk?(
    base: VirtualPath,
    enter: (path: VirtualPath) => boolean,
    options: WalkOptions,
  ): Iterable<WalkEntry> | AsyncIterable<WalkEntry>;
  usage?(options: CallOptions): MaybePromise<Usage>;
  /** Whether `usage` is so cheap that it need not be cached. @default false */
  readonly countsUsage?: boolean | undefined;
  /**
   * Copies a file, a link, or a directory with its contents, in one step, with the attributes that the driver stores.
   * The target does not exist, or is a file or link to replace. Copies nothing when the signal is aborted.
   */
  clone?(from: VirtualPath, to: VirtualPath, options: CallOptions): MaybePromise<void>;
  /**
   * Moves a node with its contents in one step. The target does not exist, or is a file or link to replace.
   */
  rename?(from: VirtualPath, to: VirtualPath, options: CallOptions): MaybePromise<void>;
  /**
   * Removes a directory with its contents without following links. After an abort it may stop half-way and throw the
   * signal's reason.
   */
  removeTree?(path: VirtualPath, options: CallOptions): MaybePromise<void>;
  openRead?(path: VirtualPath, options: CallOptions): MaybePromise<DriverReader>;
  openWrite?(
    path: VirtualPath,
    mode: WriteMode,
    options: DriverWriteOptions,
  ): MaybePromise<DriverWriter>;
}

import type {
  CallOptions,
  DeleteOptions,
  GlobOptions,
  GrepOptions,
  ListOptions,
  MkdirOptions,
  OpenReadOptions,
  ReadBytesOptions,
  ReadOptions,
  StatOptions,
  SymlinkOptions,
  TransactOptions,
  TransferOptions,
  WriteMode,
  WriteOptions,
} from "./call-options.js";
import type { FilesystemLimits, FilesystemQuotas } from "./limits.js";
import type { FileReader, FileWriter, TextReader } from "./streams.js";

export type * from "./call-options.js";
export type { FileReader, FileWriter, TextReader };

/** The kind of a node. `special` is a FIFO, socket or device: it is listed and can be deleted, but is never opened. */
export type NodeKind = "file" | "directory" | "symlink" | "special";

export interface FileStat {
  readonly path: string;
  readonly kind: NodeKind;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  readonly sizeBytes: number;
  /** Unix permission bits, such as `0o644`. */
  readonly mode: number;
  /**
   * The path of the node without links, so two paths name the same node if their identities are equal. It stays the same
   * when the node is written and changes when it is moved.
   */
  readonly identity: string;
  /** ISO 8601; `undefined` if the backend does not know it. */
  readonly createdAt: string | undefined;
  /** ISO 8601; `undefined` if the backend does not know it. */
  readonly modifiedAt: string | undefined;
  /** Changes exactly when the content changes; `undefined` if this is not a file. Only compare it, do not parse it. */
  readonly revision: string | undefined;
}

export interface FileEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: NodeKind;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
  /** Only with `details`. For a link, the length of its target. */
  readonly sizeBytes?: number | undefined;
  /** Unix permission bits, only with `details`. */
  readonly mode?: number | undefined;
  /** ISO 8601, only with `details`; `undefined` if the backend does not know it. */
  readonly modifiedAt?: string | undefined;
}

/** An array that may have been truncated, with a flag that says so. */
export type Cut<T> = readonly T[] & {
  /** Whether results were left out. */
  readonly truncated: boolean;
};

export interface GlobMatch {
  readonly path: string;
  readonly isFile: boolean;
}

export interface GrepMatch {
  readonly path: string;
  /** Counted from 1. */
  readonly lineNumber: number;
  /** The line without its line end. A very long line is clipped around the match. */
  readonly lineContent: string;
  /** Where the first match on the line starts and ends within `lineContent`, in UTF-16 code units. */
  readonly matchStart: number;
  readonly matchEnd: number;
}

export type GrepResult = Cut<GrepMatch> & {
  /** Files that were not searched and directories that could not be read, at most 100. */
  readonly skipped: readonly {
    readonly path: string;
    readonly reason: "binary" | "too-large" | "unreadable";
  }[];
  readonly skippedCount: number;
};

export interface ReadResult {
  readonly path: string;
  /** The exact part of the file, line ends included: writing it back changes nothing. */
  readonly content: string;
  /** Lines end at `\n` only: `""` has 0, `"a"` and `"a\n"` have 1, `"a\n\n"` has 2. */
  readonly totalLines: number;
  /** The first line returned, counted from 0. */
  readonly offset: number;
  /** The maximum number of lines. */
  readonly limit: number;
  /** Whether the file has more content after `content`. */
  readonly truncated: boolean;
  readonly revision: string;
}

export interface ReadBytesResult {
  readonly path: string;
  /** A copy. The caller may keep and change it. */
  readonly content: Uint8Array;
  readonly sizeBytes: number;
  readonly offset: number;
  readonly limit: number;
  readonly truncated: boolean;
  readonly revision: string;
}

export interface WriteResult {
  readonly path: string;
  readonly bytesWritten: number;
  readonly mode: WriteMode;
  /** The revision of the new content. Pass it to the next write as `ifRevision`. */
  readonly revision: string;
}

export interface Usage {
  readonly totalBytes: number;
  /** Counts every node that is not a directory. */
  readonly fileCount: number;
  /** Does not count the root. */
  readonly directoryCount: number;
  readonly nodeCount: number;
}

/**
 * Files as tools see them, in any backend.
 *
 * Paths are relative to the workspace root; a leading `/` means the root. A path
 * above the root is refused with `EACCES`, not clamped to the root. Every rejection is a
 * `FilesystemError`, except that an aborted call rejects with its signal's reason. Results
 * are frozen plain data.
 */
export interface Filesystem {
  /** The root of the workspace: `/` if it is virtual, or the host directory. Do not show it to a model. */
  readonly root: string;
  readonly readOnly: boolean;
  /** The prefix of absolute paths, such as `/workspace`; `undefined` if there is none. */
  readonly mountPoint: string | undefined;
  readonly limits: FilesystemLimits;
  readonly quotas: FilesystemQuotas;

  read(path: string, options?: ReadOptions): Promise<ReadResult>;
  readBytes(path: string, options?: ReadBytesOptions): Promise<ReadBytesResult>;
  /** Whether a file, directory or special file exists. A link counts if its target exists inside the workspace. */
  exists(path: string, options?: CallOptions): Promise<boolean>;
  stat(path: string, options?: StatOptions): Promise<FileStat>;
  /** The target of a symbolic link, as it was stored. */
  readlink(path: string, options?: CallOptions): Promise<string>;
  /** The path of a node after every link in it is followed. Fails with `EACCES` if a link points outside the workspace. */
  realpath(path: string, options?: CallOptions): Promise<string>;
  /** The SHA-256 of a file's bytes, in hexadecimal digits. Computed at each call. */
  contentId(path: string, options?: CallOptions): Promise<string>;
  /** The entries of a directory, sorted by name in byte order. */
  list(path?: string, options?: ListOptions): Promise<Cut<FileEntry>>;
  /** Files whose path or name matches, sorted by path in byte order. */
  glob(pattern: string, options?: GlobOptions): Promise<Cut<GlobMatch>>;
  /** Lines that match a regular expression, sorted by path and line. */
  grep(pattern: string, options?: GrepOptions): Promise<GrepResult>;

  write(path: string, content: string, options?: WriteOptions): Promise<WriteResult>;
  writeBytes(path: string, content: Uint8Array, options?: WriteOptions): Promise<WriteResult>;
  delete(path: string, options?: DeleteOptions): Promise<void>;
  mkdir(path: string, options?: MkdirOptions): Promise<void>;
  copy(from: string, to: string, options?: TransferOptions): Promise<void>;
  move(from: string, to: string, options?: TransferOptions): Promise<void>;
  /** Creates a symbolic link. The target is data: it need not exist, and is relative to the directory of the link. */
  symlink(target: string, path: string, options?: SymlinkOptions): Promise<void>;
  /** Sets the permission bits of a file or directory. The owner of a directory always keeps all its permissions. */
  chmod(path: string, mode: number, options?: CallOptions): Promise<void>;
  /** Sets the time of the last change of a file or directory. Times have milliseconds. */
  utimes(path: string, modifiedAt: Date | string, options?: CallOptions): Promise<void>;

  openRead(path: string, options?: OpenReadOptions): Promise<FileReader>;
  openWrite(path: string, options?: WriteOptions): Promise<FileWriter>;
  openText(path: string, options?: CallOptions): Promise<TextReader>;

  usage(options?: CallOptions): Promise<Usage>;

  /**
   * Runs `body` as a transaction: all its changes are committed when it returns, or rolled back when it throws or the
   * signal aborts. Then `transact` rejects with the same error, and later changes of `body` are refused with `EBADF`.
   *
   * Transactions are queued, so concurrent calls do not fail. Inside `body` it is a savepoint. Changes outside of `body`
   * wait until it has ended; reads do not, and see its changes.
   *
   * Calls inside `body` are recognised by their async context, or because they use `files`. Browsers have no async
   * context, so use `files` there: a nested `transact` of the outer filesystem would wait forever.
   *
   * @param body gets the same filesystem, as part of the transaction
   */
  transact<T>(body: (files: Filesystem) => Promise<T> | T, options?: TransactOptions): Promise<T>;
}

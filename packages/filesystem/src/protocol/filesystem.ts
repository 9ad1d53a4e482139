import type { FilesystemLimits, FilesystemQuotas } from "./limits.js";
import type { FileReader, FileWriter, TextReader } from "./streams.js";

export type { FileReader, FileWriter, TextReader };

/** The kind of a node. `special` is a FIFO, socket or device: it is listed and can be deleted, but is never opened. */
export type NodeKind = "file" | "directory" | "symlink" | "special";

/**
 * `create` fails when the file exists, `overwrite` replaces it, `append` adds to its end. The last two create a
 * missing file.
 */
export type WriteMode = "create" | "overwrite" | "append";

/** Options of every call. */
export interface CallOptions {
  /** Aborts the call. It then rejects with the signal's reason and has changed nothing. */
  readonly signal?: AbortSignal | undefined;
}

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
  /** Only with `details`. Of a link: the length of its target. */
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

export interface SkippedFile {
  readonly path: string;
  readonly reason: "binary" | "too-large" | "unreadable";
}

export type GrepResult = Cut<GrepMatch> & {
  /** Files that were not searched and directories that could not be read, at most 100. */
  readonly skipped: readonly SkippedFile[];
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

export interface ReadOptions extends CallOptions {
  /** The first line, counted from 0. @default 0 */
  readonly offset?: number | undefined;
  /** The maximum number of lines. @default 2_000 (`limits.defaultReadLines`) */
  readonly limit?: number | undefined;
  /** Only UTF-8 is supported; other values fail with `EINVAL`. @default "utf-8" */
  readonly encoding?: string | undefined;
}

export interface ReadBytesOptions extends CallOptions {
  /** The first byte, counted from 0. @default 0 */
  readonly offset?: number | undefined;
  /**
   * The maximum number of bytes. Without it, a file with more than `limits.maxReadBytes` to read fails with `EFBIG`.
   * @default 33_554_432 (`limits.maxReadBytes`)
   */
  readonly limit?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /** @default "overwrite" */
  readonly mode?: WriteMode | undefined;
  /** Whether missing parent directories are created. @default true */
  readonly createParents?: boolean | undefined;
  /** Fails with `ESTALE` unless the file has this revision. @default not checked */
  readonly ifRevision?: string | undefined;
  /** Sets or clears the execute bits. @default unchanged; clear on a new file */
  readonly executable?: boolean | undefined;
}

export interface ListOptions extends CallOptions {
  /** The number of entries to skip. @default 0 */
  readonly offset?: number | undefined;
  /** The maximum number of entries. @default 100_000 (`limits.maxListEntries`) */
  readonly limit?: number | undefined;
  /** Whether entries have their sizes, modes and times. @default false */
  readonly details?: boolean | undefined;
}

export interface GlobOptions extends CallOptions {
  /** The directory to search. A pattern with `/` is matched relative to it. @default "." */
  readonly path?: string | undefined;
  /** Whether directories match too. @default false */
  readonly directories?: boolean | undefined;
  /** @default 100_000 (`limits.maxGlobMatches`) */
  readonly maxMatches?: number | undefined;
}

export interface GrepOptions extends CallOptions {
  /** The directory or file to search. @default "." */
  readonly path?: string | undefined;
  /** Searches only files that match this `glob` pattern. @default every file */
  readonly glob?: string | undefined;
  /** @default 1_000 (`limits.maxGrepMatches`) */
  readonly maxMatches?: number | undefined;
  /** @default false */
  readonly ignoreCase?: boolean | undefined;
  /** Treats the pattern as plain text. @default false */
  readonly literal?: boolean | undefined;
}

export interface DeleteOptions extends CallOptions {
  /** Whether a directory is deleted with its contents. @default false */
  readonly recursive?: boolean | undefined;
}

export interface MkdirOptions extends CallOptions {
  /** Whether missing parent directories are created. @default true */
  readonly parents?: boolean | undefined;
  /** Whether the call succeeds if the directory exists. @default true */
  readonly existOk?: boolean | undefined;
}

export interface TransferOptions extends CallOptions {
  /** Whether an existing target is replaced. @default false */
  readonly overwrite?: boolean | undefined;
  /** Whether missing parent directories of the target are created. @default true */
  readonly createParents?: boolean | undefined;
}

export interface TransactOptions extends CallOptions {
  /**
   * Also rolls back changes that were not made through the filesystem, such as a shell's, and restored snapshots. This
   * requires a scan of the whole tree on a host directory. @default false
   */
  readonly full?: boolean | undefined;
  /**
   * Runs the rollback, for example after it has stopped other programs that write to the files.
   *
   * @default runs it immediately
   */
  readonly aroundRollback?: ((rollback: () => Promise<void>) => Promise<void>) | undefined;
}

export interface OpenReadOptions extends CallOptions {
  /** The first byte, counted from 0. @default 0 */
  readonly offset?: number | undefined;
  /** @default 65_536 (`limits.streamChunkBytes`) */
  readonly chunkBytes?: number | undefined;
}

export interface StatOptions extends CallOptions {
  /** Whether a link is followed. If not, the link itself is described. @default true */
  readonly followLinks?: boolean | undefined;
}

export interface SymlinkOptions extends CallOptions {
  /** Whether missing parent directories are created. @default true */
  readonly createParents?: boolean | undefined;
}

export type OpenWriteOptions = WriteOptions;

export type OpenTextOptions = CallOptions;

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
  /** The path of a node after every link in it is followed. Fails with `EACCES` if a link leads out of the workspace. */
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
  openWrite(path: string, options?: OpenWriteOptions): Promise<FileWriter>;
  openText(path: string, options?: OpenTextOptions): Promise<TextReader>;

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

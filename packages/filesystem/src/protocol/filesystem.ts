import type { FilesystemLimits, FilesystemQuotas } from "./limits.js";

/** What stands at a path. `special` is a FIFO, socket or device: listed and deletable, never opened. */
export type NodeKind = "file" | "directory" | "symlink" | "special";

/** `create` fails when the file exists, `overwrite` replaces it, `append` adds to its end; the last two create it when absent. */
export type WriteMode = "create" | "overwrite" | "append";

/** Options every call takes. */
export interface CallOptions {
  /** Ends the call early; it then rejects with the signal's reason and has changed nothing. */
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
  /** ISO 8601; `undefined` where the backend does not know. */
  readonly createdAt: string | undefined;
  /** ISO 8601; `undefined` where the backend does not know. */
  readonly modifiedAt: string | undefined;
  /** Changes exactly when the content does; `undefined` for what is not a file. Compare it, do not parse it. */
  readonly revision: string | undefined;
}

export interface FileEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: NodeKind;
  readonly isFile: boolean;
  readonly isDirectory: boolean;
}

/** A list that may have been cut: an array with a flag. */
export type Cut<T> = readonly T[] & {
  /** Whether there was more than was returned. */
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
  /** The line without its line end; clipped around the match when it is very long. */
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
  /** Files that were not searched, and directories that could not be, at most 100 of them. */
  readonly skipped: readonly SkippedFile[];
  readonly skippedCount: number;
};

export interface ReadResult {
  readonly path: string;
  /** The exact slice of the file, line ends included: writing it back changes nothing. */
  readonly content: string;
  /** Lines end at `\n` only: `""` has 0, `"a"` and `"a\n"` have 1, `"a\n\n"` has 2. */
  readonly totalLines: number;
  /** The first line returned, counted from 0. */
  readonly offset: number;
  /** The most lines that could have been returned. */
  readonly limit: number;
  /** Whether the file goes on after `content`. */
  readonly truncated: boolean;
  readonly revision: string;
}

export interface ReadBytesResult {
  readonly path: string;
  /** A copy that is the caller's to keep and change. */
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
  /** Of the content as it is now; give it to the next write as `ifRevision`. */
  readonly revision: string;
}

export interface Usage {
  readonly totalBytes: number;
  /** Everything that is not a directory. */
  readonly fileCount: number;
  /** The root is not counted. */
  readonly directoryCount: number;
  readonly nodeCount: number;
}

export interface ReadOptions extends CallOptions {
  /** First line, counted from 0. @default 0 */
  readonly offset?: number | undefined;
  /** Most lines. @default 2_000 (`limits.defaultReadLines`) */
  readonly limit?: number | undefined;
  /** Only UTF-8 is text here; anything else is `EINVAL`. @default "utf-8" */
  readonly encoding?: string | undefined;
}

export interface ReadBytesOptions extends CallOptions {
  /** First byte. @default 0 */
  readonly offset?: number | undefined;
  /** Most bytes. @default 33_554_432 (`limits.maxReadBytes`) */
  readonly limit?: number | undefined;
}

export interface WriteOptions extends CallOptions {
  /** @default "overwrite" */
  readonly mode?: WriteMode | undefined;
  /** Whether missing parent directories are made. @default true */
  readonly createParents?: boolean | undefined;
  /** Fails with `ESTALE` unless the file has this revision now. @default not checked */
  readonly ifRevision?: string | undefined;
  /** Sets or clears the execute bits. @default kept as they are; clear on a new file */
  readonly executable?: boolean | undefined;
}

export interface ListOptions extends CallOptions {
  /** Entries to pass over. @default 0 */
  readonly offset?: number | undefined;
  /** Most entries. @default 100_000 (`limits.maxListEntries`) */
  readonly limit?: number | undefined;
}

export interface GlobOptions extends CallOptions {
  /** The directory to search; a pattern with `/` matches below it. @default "." */
  readonly path?: string | undefined;
  /** Whether directories match too. @default false */
  readonly directories?: boolean | undefined;
  /** @default 100_000 (`limits.maxGlobMatches`) */
  readonly maxMatches?: number | undefined;
}

export interface GrepOptions extends CallOptions {
  /** A directory to search, or one file. @default "." */
  readonly path?: string | undefined;
  /** Only files that match this pattern, in the dialect of `glob`. @default every file */
  readonly glob?: string | undefined;
  /** @default 1_000 (`limits.maxGrepMatches`) */
  readonly maxMatches?: number | undefined;
  /** @default false */
  readonly ignoreCase?: boolean | undefined;
  /** Takes the pattern as plain text. @default false */
  readonly literal?: boolean | undefined;
}

export interface DeleteOptions extends CallOptions {
  /** Whether a directory goes with all that is in it. @default false */
  readonly recursive?: boolean | undefined;
}

export interface MkdirOptions extends CallOptions {
  /** Whether missing parents are made. @default true */
  readonly parents?: boolean | undefined;
  /** Whether a directory that is there already is fine. @default true */
  readonly existOk?: boolean | undefined;
}

export interface TransferOptions extends CallOptions {
  /** Whether an existing target is replaced. @default false */
  readonly overwrite?: boolean | undefined;
  /** Whether missing parents of the target are made. @default true */
  readonly createParents?: boolean | undefined;
}

export interface OpenReadOptions extends CallOptions {
  /** First byte. @default 0 */
  readonly offset?: number | undefined;
  /** @default 65_536 (`limits.streamChunkBytes`) */
  readonly chunkBytes?: number | undefined;
}

export type OpenWriteOptions = WriteOptions;

export type OpenTextOptions = CallOptions;

/** A file opened for reading. It shows the content of the moment it was opened, or fails with `ESTALE`; never a mixture. */
export interface FileReader extends AsyncIterable<Uint8Array>, AsyncDisposable {
  readonly path: string;
  readonly sizeBytes: number;
  /** The next bytes, at most `length`; empty at the end. @default one chunk */
  read(length?: number): Promise<Uint8Array>;
  /** Where the next read starts, in bytes. */
  readonly position: number;
  seek(position: number): void;
  close(): Promise<void>;
}

/** A file being written. Nothing is seen of it before `close`, and `abort` leaves no trace. */
export interface FileWriter extends AsyncDisposable {
  readonly path: string;
  readonly bytesWritten: number;
  write(chunk: Uint8Array | string): Promise<void>;
  /** Makes the content visible, in one step. */
  close(): Promise<WriteResult>;
  /** Gives up what was written. Does nothing after `close`. */
  abort(): Promise<void>;
  /** Closes; or aborts when a write failed. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A text file opened for reading line by line, decoded as it is read. */
export interface TextReader extends AsyncIterable<string>, AsyncDisposable {
  readonly path: string;
  /** Every line, with its line end unless `strip` is set. */
  lines(options?: { readonly strip?: boolean | undefined }): AsyncIterable<string>;
  close(): Promise<void>;
}

/**
 * Files as tools see them, wherever they are kept.
 *
 * Paths are relative to the workspace root; a leading `/` means the root. A path
 * that climbs above the root is refused with `EACCES`, never bent back. Every
 * rejection is a `FilesystemError`, except that an aborted call rejects with its
 * signal's reason. Results are frozen plain data.
 */
export interface Filesystem {
  /** What the workspace is rooted at: `/` where it is virtual, the directory where it is a host's. Not for a model's eyes. */
  readonly root: string;
  readonly readOnly: boolean;
  /** A prefix that absolute paths carry, such as `/workspace`; `undefined` when there is none. */
  readonly mountPoint: string | undefined;
  readonly limits: FilesystemLimits;
  readonly quotas: FilesystemQuotas;

  read(path: string, options?: ReadOptions): Promise<ReadResult>;
  readBytes(path: string, options?: ReadBytesOptions): Promise<ReadBytesResult>;
  /** Whether a file, directory or special file is there. A symbolic link is not followed and counts as nothing. */
  exists(path: string, options?: CallOptions): Promise<boolean>;
  stat(path: string, options?: CallOptions): Promise<FileStat>;
  /** The entries of a directory, by name in byte order. */
  list(path?: string, options?: ListOptions): Promise<Cut<FileEntry>>;
  /** Files whose path or name matches, by path in byte order. */
  glob(pattern: string, options?: GlobOptions): Promise<Cut<GlobMatch>>;
  /** Lines that match a regular expression, by path and line. */
  grep(pattern: string, options?: GrepOptions): Promise<GrepResult>;

  write(path: string, content: string, options?: WriteOptions): Promise<WriteResult>;
  writeBytes(path: string, content: Uint8Array, options?: WriteOptions): Promise<WriteResult>;
  delete(path: string, options?: DeleteOptions): Promise<void>;
  mkdir(path: string, options?: MkdirOptions): Promise<void>;
  copy(from: string, to: string, options?: TransferOptions): Promise<void>;
  move(from: string, to: string, options?: TransferOptions): Promise<void>;

  openRead(path: string, options?: OpenReadOptions): Promise<FileReader>;
  openWrite(path: string, options?: OpenWriteOptions): Promise<FileWriter>;
  openText(path: string, options?: OpenTextOptions): Promise<TextReader>;

  usage(options?: CallOptions): Promise<Usage>;
}

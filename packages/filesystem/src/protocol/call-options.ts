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

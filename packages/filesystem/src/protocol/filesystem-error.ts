const REASONS = {
  ENOENT: "no such file or directory",
  EISDIR: "path is a directory",
  ENOTDIR: "a file stands where a directory is needed",
  EEXIST: "path already exists",
  EACCES: "access refused",
  EROFS: "filesystem is read-only",
  EINVAL: "invalid argument",
  EILSEQ: "file is not UTF-8 text",
  EFBIG: "over the size limit",
  EDQUOT: "over the quota",
  ESTALE: "content has changed since it was read",
  EBADF: "stream or handle is closed",
  EIO: "the backend failed",
} as const;

/** Why a call was refused. The names are POSIX's and mean what they mean in Node. */
export type FilesystemErrorCode = keyof typeof REASONS;

export interface FilesystemErrorOptions {
  /** The public method that failed, such as `read`. */
  readonly operation: string;
  /** The path as the caller sees it. Never a host path: this text reaches the model. */
  readonly path: string;
  /** Replaces the stock reason when the caller can act on something more precise. */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

// Registered, so that two copies of this package still recognise each other's errors.
const BRAND = Symbol.for("wink.filesystem.error");

/**
 * The one error the filesystem throws.
 *
 * Branch on `code`, not on `message`, and test with {@link isFilesystemError}
 * rather than `instanceof`.
 */
export class FilesystemError extends Error {
  override readonly name = "FilesystemError";
  readonly code: FilesystemErrorCode;
  readonly operation: string;
  readonly path: string;
  readonly [BRAND] = true;

  constructor(code: FilesystemErrorCode, options: FilesystemErrorOptions) {
    const { operation, reason = REASONS[code], cause } = options;
    const path = printable(options.path);
    super(`${code}: ${reason}, ${operation} '${path}'`, cause === undefined ? {} : { cause });
    this.code = code;
    this.operation = operation;
    this.path = path;
  }
}

/** Whether `error` is a {@link FilesystemError}, of this copy of the package or another, and has `code` when one is given. */
export function isFilesystemError(
  error: unknown,
  code?: FilesystemErrorCode,
): error is FilesystemError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || (error as FilesystemError).code === code;
}

const MAX_SHOWN_CHARACTERS = 300;

/** A hostile path must not write to a terminal, flood a log or break JSON by way of an error message. */
function printable(path: string): string {
  const shown =
    path.length > MAX_SHOWN_CHARACTERS ? `${path.slice(0, MAX_SHOWN_CHARACTERS)}…` : path;
  return shown
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) => escapeCharacter(character));
}

function escapeCharacter(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
}

const REASONS = {
  ENOENT: "no such file or directory",
  EISDIR: "path is a directory",
  ENOTDIR: "not a directory",
  EEXIST: "path already exists",
  EACCES: "access denied",
  EROFS: "filesystem is read-only",
  EINVAL: "invalid argument",
  EILSEQ: "file is not UTF-8 text",
  EFBIG: "over the size limit",
  EDQUOT: "over the quota",
  ESTALE: "content has changed since it was read",
  EBADF: "stream or handle is closed",
  EIO: "the backend failed",
} as const;

/** Why a call failed. The codes are POSIX codes and mean the same as in Node. */
export type FilesystemErrorCode = keyof typeof REASONS;

export interface FilesystemErrorOptions {
  /** The public method that failed, such as `read`. */
  readonly operation: string;
  /** The path as the caller sees it. Never a host path: this text is sent to the model. */
  readonly path: string;
  /** Replaces the default reason when a more precise one helps the caller. */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

// A registered symbol, so that two copies of this package recognise each other's errors.
const BRAND = Symbol.for("wink.filesystem.error");

/**
 * The only error class that the filesystem throws.
 *
 * Branch on `code`, not on `message`, and test with {@link isFilesystemError} instead of `instanceof`.
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

/** Whether `error` is a {@link FilesystemError} of any copy of the package and, if `code` is given, has that code. */
export function isFilesystemError(
  error: unknown,
  code?: FilesystemErrorCode,
): error is FilesystemError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || (error as FilesystemError).code === code;
}

const MAX_SHOWN_CHARACTERS = 300;

/** A hostile path in a message must not control a terminal, flood a log or break JSON. */
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

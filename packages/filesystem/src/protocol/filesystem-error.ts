import { CodedError, isBranded, orEmpty, printable } from "./coded-error.js";

/** What a code means, and what a developer can do if that is always the same. */
const MEANINGS = {
  ENOENT: { reason: "no such file or directory" },
  EISDIR: { reason: "it is a directory" },
  ENOTDIR: { reason: "it is not a directory" },
  EEXIST: { reason: "it already exists" },
  EACCES: { reason: "access denied" },
  EROFS: { reason: "the filesystem is read-only" },
  EINVAL: { reason: "invalid argument" },
  EILSEQ: { reason: "it is not UTF-8 text", advice: "Use readBytes or openRead." },
  EFBIG: { reason: "it is over the size limit" },
  EDQUOT: { reason: "it is over the quota", advice: "Delete files, or raise the quota." },
  ESTALE: { reason: "it has changed since it was read", advice: "Read it again." },
  EBADF: { reason: "the stream or handle is closed", advice: "Open a new one." },
  EIO: { reason: "the backend failed", advice: "The error's cause has the details." },
} as const;

// A registered symbol, so that two copies of this package recognise each other's errors.
const BRAND = Symbol.for("wink.filesystem.error");

/**
 * The error of every call on files. Its message is `CODE: operation 'path': problem. Advice.`
 *
 * The codes are POSIX codes and mean the same as in Node. Branch on `code`, not on `message`, and test with {@link isFilesystemError} instead of `instanceof`.
 */
export class FilesystemError extends CodedError<keyof typeof MEANINGS> {
  override readonly name = "FilesystemError";
  readonly operation: string;
  /** The same as `subject`. */
  readonly path: string;
  readonly [BRAND] = true;

  constructor(
    code: FilesystemError["code"],
    options: {
      /** The public method that failed, such as `read`. */
      readonly operation: string;
      /** The path as the caller sees it. Never a host path: this text is sent to the model. */
      readonly path: string;
      /** The problem, if a more precise one than that of the code helps the caller. @default that of the code */
      readonly reason?: string | undefined;
      /** What a developer can do, as a sentence. @default that of the code, unless `reason` is given */
      readonly advice?: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    // A backend in JavaScript may forget them. An error that cannot be created would hide the problem.
    const { operation = "call", path = "." } = orEmpty(options);
    const subject = printable(path);
    super(`${code}: ${operation} '${subject}'`, code, { ...options, subject }, MEANINGS[code]);
    this.operation = operation;
    this.path = subject;
  }
}

/** Whether `error` is a {@link FilesystemError} of any copy of the package and, if `code` is given, has that code. */
export function isFilesystemError(
  error: unknown,
  code?: FilesystemError["code"],
): error is FilesystemError {
  return isBranded(error, BRAND, code);
}

/** An `EINVAL` about an argument that the types forbid but an untyped caller may pass. */
export function invalidArgument(operation: string, reason: string): FilesystemError {
  return new FilesystemError("EINVAL", { operation, path: ".", reason });
}

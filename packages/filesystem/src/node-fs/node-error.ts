import { describeKind } from "@wink/store/internal";
import { TOO_MANY_LINKS } from "../operations/resolve-links.js";
import { type FilesystemError, isFilesystemError } from "../protocol/filesystem-error.js";

/** The codes that programs expect of `node:fs`, with the texts that they print. */
const TEXTS: Readonly<Record<FilesystemError["code"], readonly [code: string, text: string]>> = {
  ENOENT: ["ENOENT", "no such file or directory"],
  EISDIR: ["EISDIR", "illegal operation on a directory"],
  ENOTDIR: ["ENOTDIR", "not a directory"],
  EEXIST: ["EEXIST", "file already exists"],
  EACCES: ["EACCES", "permission denied"],
  EROFS: ["EROFS", "read-only file system"],
  EINVAL: ["EINVAL", "invalid argument"],
  EILSEQ: ["EILSEQ", "illegal byte sequence"],
  EFBIG: ["EFBIG", "file too large"],
  // Programs know only a full disk.
  EDQUOT: ["ENOSPC", "no space left on device"],
  ESTALE: ["ESTALE", "stale file handle"],
  EBADF: ["EBADF", "bad file descriptor"],
  EIO: ["EIO", "input/output error"],
};

/** The numbers of Linux, which Node reports as negative `errno`. */
const NUMBERS: Readonly<Record<string, number>> = {
  ...{ EPERM: 1, ENOENT: 2, EIO: 5, EBADF: 9, EACCES: 13, EEXIST: 17, ENOTDIR: 20, EISDIR: 21 },
  ...{ EINVAL: 22, EFBIG: 27, ENOSPC: 28, EROFS: 30, ENOTEMPTY: 39, ELOOP: 40, EILSEQ: 84 },
  ESTALE: 116,
};

/** An error as `node:fs` throws it. Programs find their message by its code. */
export class NodeError extends Error {
  readonly code: string;
  readonly errno: number | undefined;
  readonly syscall: string;
  readonly path: string;
  readonly text: string;

  constructor(
    code: string,
    text: string,
    { operation, path, cause }: { operation: string; path: string; cause?: unknown },
  ) {
    super(`${code}: ${text}, ${operation} '${path}'`, cause === undefined ? {} : { cause });
    this.code = code;
    const number = NUMBERS[code];
    this.errno = number === undefined ? undefined : -number;
    this.syscall = operation;
    this.path = path;
    this.text = text;
  }
}

/** Converts an error of a filesystem. Other errors, such as the reason of an abort, stay as they are. */
export function toNodeError(error: unknown, operation: string, path: string): unknown {
  if (!isFilesystemError(error)) return error;
  const [code, text] =
    error.reason === TOO_MANY_LINKS
      ? ["ELOOP", "too many levels of symbolic links"]
      : TEXTS[error.code];
  return new NodeError(code, text, { operation, path, cause: error });
}

/** Programs expect a `TypeError` with this code from `node:fs`. */
export function invalidType(name: string, expected: string, given: unknown): TypeError {
  const error = new TypeError(`${name}: expected ${expected}, got ${describeKind(given)}.`);
  return Object.assign(error, { code: "ERR_INVALID_ARG_TYPE" });
}

export function invalidValue(name: string, expected: string, given: string): TypeError {
  const error = new TypeError(`${name}: expected ${expected}, got '${given}'.`);
  return Object.assign(error, { code: "ERR_INVALID_ARG_VALUE" });
}

/** Throws the error of `node:fs` if the signal has aborted, with the signal's reason as its cause. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return;
  const error = new Error("The operation was aborted", { cause: signal.reason });
  throw Object.assign(error, { name: "AbortError", code: "ABORT_ERR" });
}

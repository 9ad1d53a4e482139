import { type FilesystemErrorCode, isFilesystemError } from "@wink/filesystem";

/** The codes that shell commands expect, with the texts that they print. */
const TEXTS: Readonly<Record<FilesystemErrorCode, readonly [code: string, text: string]>> = {
  ENOENT: ["ENOENT", "no such file or directory"],
  EISDIR: ["EISDIR", "illegal operation on a directory"],
  ENOTDIR: ["ENOTDIR", "not a directory"],
  EEXIST: ["EEXIST", "file already exists"],
  EACCES: ["EACCES", "permission denied"],
  EROFS: ["EROFS", "read-only file system"],
  EINVAL: ["EINVAL", "invalid argument"],
  EILSEQ: ["EILSEQ", "illegal byte sequence"],
  EFBIG: ["EFBIG", "file too large"],
  // A shell knows only a full disk.
  EDQUOT: ["ENOSPC", "no space left on device"],
  ESTALE: ["ESTALE", "stale file handle"],
  EBADF: ["EBADF", "bad file descriptor"],
  EIO: ["EIO", "input/output error"],
};

/** An error as `node:fs` throws it. Commands find their message by its code. */
class NodeError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path: string;
  readonly text: string;

  constructor(code: string, text: string, operation: string, path: string) {
    super(`${code}: ${text}, ${operation} '${path}'`);
    this.code = code;
    this.syscall = operation;
    this.path = path;
    this.text = text;
  }
}

export function nodeError(code: string, text: string, operation: string, path: string): Error {
  return new NodeError(code, text, operation, path);
}

export function isNodeError(error: unknown): error is NodeError {
  return error instanceof NodeError;
}

/** Converts an error of a filesystem. Other errors, such as the reason of an abort, stay as they are. */
export function toNodeError(error: unknown, operation: string, path: string): unknown {
  if (!isFilesystemError(error)) return error;
  const [code, text] = TEXTS[error.code];
  return nodeError(code, text, operation, path);
}

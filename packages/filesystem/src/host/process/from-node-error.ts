import {
  FilesystemError,
  type FilesystemErrorCode,
  isFilesystemError,
} from "../../protocol/filesystem-error.js";

const REFUSALS = {
  ELOOP: "symbolic link",
  EINVAL: "this does not encode a name on disk",
  ENOTREG: "not a regular file",
  EISDIR: "a directory",
  EEXIST: "exists",
  EMOUNT: "mount point",
  ESTALE: "changed",
  EBADF: "closed",
  ENOENT: "missing",
  EUNSETTLED: "keeps changing",
} as const;

/** An error that this backend detects itself. It has a `code`, like Node's system errors. */
export class Refusal extends Error {
  readonly code: keyof typeof REFUSALS;

  constructor(code: keyof typeof REFUSALS) {
    super(REFUSALS[code]);
    this.code = code;
  }
}

interface Meaning {
  readonly code: FilesystemErrorCode;
  readonly reason?: string;
}

const LINK = "path leads through a symbolic link, and links are not followed";

const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOENT: { code: "ENOENT" },
  EEXIST: { code: "EEXIST" },
  ENOTEMPTY: { code: "EEXIST", reason: "directory is not empty" },
  ENOTDIR: { code: "ENOTDIR" },
  EISDIR: { code: "EISDIR" },
  ELOOP: { code: "EACCES", reason: LINK },
  EMLINK: { code: "EACCES", reason: LINK },
  EACCES: { code: "EACCES", reason: "the host does not permit it" },
  EPERM: { code: "EACCES", reason: "the host does not permit it" },
  ENOTREG: { code: "EACCES", reason: "not a regular file; special files are never opened" },
  ENXIO: { code: "EACCES", reason: "not a regular file; special files are never opened" },
  ENODEV: { code: "EACCES", reason: "not a regular file; special files are never opened" },
  EAGAIN: { code: "EACCES", reason: "another program holds the file" },
  EMOUNT: { code: "EACCES", reason: "another filesystem is mounted there" },
  EBUSY: { code: "EACCES", reason: "another filesystem is mounted there, or it is in use" },
  EXDEV: { code: "EACCES", reason: "source and target are on different filesystems" },
  EROFS: { code: "EROFS" },
  ENOSPC: { code: "EDQUOT", reason: "no space left on the host" },
  EDQUOT: { code: "EDQUOT", reason: "no space left on the host" },
  EFBIG: { code: "EFBIG" },
  EINVAL: { code: "EINVAL" },
  ENAMETOOLONG: { code: "EINVAL", reason: "name is too long for the host" },
  ESTALE: { code: "ESTALE" },
  EUNSETTLED: { code: "ESTALE", reason: "another process keeps changing this path" },
  EBADF: { code: "EBADF" },
};

/**
 * Converts every host error to a `FilesystemError`.
 *
 * Node's message contains a host path, so it is not used. The original error is in `cause`.
 */
export function fromNodeError(cause: unknown, operation: string, path: string): FilesystemError {
  if (isFilesystemError(cause)) return cause;
  const { code, reason } = MEANINGS[nodeCode(cause) ?? ""] ?? { code: "EIO" };
  return new FilesystemError(code, { operation, path, reason, cause });
}

/**
 * Node's code of a failed call, such as `ENOENT`.
 *
 * `EAGAIN` means that another program holds a lease on the file, so opening it would block. It is reported as
 * `EACCES`: the file is treated like any other unreadable file.
 */
export function errorCode(error: unknown): string | undefined {
  const code = nodeCode(error);
  return code === "EAGAIN" ? "EACCES" : code;
}

function nodeCode(error: unknown): string | undefined {
  if (typeof error !== "object" || error === null || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** Whether the error means that the path does not exist or cannot exist. */
export function isAbsence(error: unknown): boolean {
  return ABSENCES.includes(errorCode(error) ?? "");
}

export const ABSENCES: readonly string[] = ["ENOENT", "ENOTDIR", "ENAMETOOLONG"];

/** Runs `body`. Returns `fallback` if it throws an error with one of these codes. */
export function tolerating<T, F>(codes: readonly string[], body: () => T, fallback: F): T | F {
  try {
    return body();
  } catch (error) {
    if (codes.includes(errorCode(error) ?? "")) return fallback;
    throw error;
  }
}

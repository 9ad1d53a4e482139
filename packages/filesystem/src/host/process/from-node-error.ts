import { FilesystemError, isFilesystemError } from "../../protocol/filesystem-error.js";
import { requireType } from "./check-arguments.js";

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
  readonly code: FilesystemError["code"];
  readonly reason?: string;
  readonly advice?: string;
}

const LINK = "it is a symbolic link, or its path has one, and links are not followed";
const SPECIAL = "it is not a regular file, and special files are never opened";
const DENIED = {
  code: "EACCES",
  reason: "the operating system denied access",
  advice: "Check the owner and the permissions of the file and of its directory.",
} as const;
const FULL = {
  code: "EDQUOT",
  reason: "no space is left on the disk of the workspace",
  advice: "Free some space and try again.",
} as const;

const MEANINGS: Readonly<Record<string, Meaning>> = {
  ENOENT: { code: "ENOENT" },
  EEXIST: { code: "EEXIST" },
  ENOTEMPTY: { code: "EEXIST", reason: "the directory is not empty" },
  ENOTDIR: { code: "ENOTDIR" },
  EISDIR: { code: "EISDIR" },
  ELOOP: { code: "EACCES", reason: LINK },
  EMLINK: { code: "EACCES", reason: LINK },
  EACCES: DENIED,
  EPERM: DENIED,
  ENOTREG: { code: "EACCES", reason: SPECIAL },
  ENXIO: { code: "EACCES", reason: SPECIAL },
  ENODEV: { code: "EACCES", reason: SPECIAL },
  EAGAIN: { code: "EACCES", reason: "another program holds the file" },
  EMOUNT: { code: "EACCES", reason: "another filesystem is mounted there" },
  EBUSY: { code: "EACCES", reason: "another filesystem is mounted there, or it is in use" },
  EXDEV: { code: "EACCES", reason: "source and target are on different filesystems" },
  EROFS: { code: "EROFS" },
  ENOSPC: FULL,
  EDQUOT: FULL,
  EFBIG: { code: "EFBIG" },
  EINVAL: { code: "EINVAL" },
  ENAMETOOLONG: { code: "EINVAL", reason: "its name is too long for the disk" },
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
  const { code, ...meaning } = MEANINGS[nodeCode(cause) ?? ""] ?? { code: "EIO" };
  // Only a link is read with `readlink`, so another process has replaced it.
  if (code === "EINVAL" && isReadlink(cause))
    return new FilesystemError("ESTALE", { operation, path, cause });
  return new FilesystemError(code, { operation, path, ...meaning, cause });
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

function isReadlink(error: unknown): boolean {
  return error instanceof Error && "syscall" in error && error.syscall === "readlink";
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
  requireType(codes?.includes, "a function", "tolerating");
  requireType(body, "a function", "tolerating");
  try {
    return body();
  } catch (error) {
    if (codes.includes(errorCode(error) ?? "")) return fallback;
    throw error;
  }
}

import { fromNodeError } from "../host/process/from-node-error.js";
import { FilesystemError, type FilesystemErrorCode } from "../protocol/filesystem-error.js";

/** `path` is the mount as the developer wrote it, or a workspace path; never one that was looked up on the host. */
export function mountError(
  code: FilesystemErrorCode,
  path: string,
  reason: string,
  cause?: unknown,
): FilesystemError {
  return new FilesystemError(code, { operation: "mount", path, reason, cause });
}

/** Runs `body`, so that what the host throws comes out as ours. */
export function asMountError<T>(path: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw fromNodeError(error, "mount", path);
  }
}

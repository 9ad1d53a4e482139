import { FilesystemError, isFilesystemError } from "../protocol/filesystem-error.js";
import { isSnapshotError } from "./snapshot-error.js";

/**
 * Returns our own errors and the caller's abort reason unchanged. Any other error may contain a host path, so it
 * becomes the cause of an `EIO`.
 */
export function knownStateError(
  error: unknown,
  operation: string,
  signal?: AbortSignal | undefined,
): unknown {
  if (isSnapshotError(error) || isFilesystemError(error)) return error;
  if (signal?.aborted && error === signal.reason) return error;
  return new FilesystemError("EIO", { operation, path: ".", cause: error });
}

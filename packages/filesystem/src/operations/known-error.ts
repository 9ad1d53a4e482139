import { FilesystemError, isFilesystemError } from "../protocol/filesystem-error.js";
import { isSnapshotError } from "../snapshots/snapshot-error.js";
import type { Target } from "./workspace.js";

/** The call that failed, and its path if it could be normalised. */
type Call = Pick<Target, "operation" | "given"> & Partial<Pick<Target, "path">>;

/** Passes on filesystem errors and the caller's abort. Any other error of a backend becomes `EIO`. */
export function knownError(error: unknown, call: Call, signal: AbortSignal | undefined): unknown {
  const { operation, given } = call;
  if (isFilesystemError(error)) {
    if (isOf(call, error)) return error;
    // The same error with the caller's operation and path, because the caller does not know the driver's.
    const { code, reason, advice, cause } = error;
    return new FilesystemError(code, { operation, path: given, reason, advice, cause });
  }
  if (signal?.aborted && error === signal.reason) return error;
  return new FilesystemError("EIO", { operation, path: given, cause: error });
}

/** Whether the error is about this call and not about a driver's internal operation. */
function isOf({ operation, given, path }: Call, error: FilesystemError): boolean {
  // `error.path` may also be a pattern, or the other path of a move.
  return error.operation === operation && (error.path === given || error.path !== path);
}

/**
 * For calls on snapshots and transactions: also passes on snapshot errors and the path that an error names. Any other
 * error may contain a host path, so it becomes the cause of an `EIO`.
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

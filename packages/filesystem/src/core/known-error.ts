import { FilesystemError, isFilesystemError } from "../filesystem-error.js";
import type { Target } from "./target.js";

/** Lets our own errors and the caller's abort through; whatever else a backend throws becomes `EIO`. */
export function knownError(
  error: unknown,
  { operation, given }: Pick<Target, "operation" | "given">,
  signal: AbortSignal | undefined,
): unknown {
  if (isFilesystemError(error)) return error;
  if (signal?.aborted && error === signal.reason) return error;
  return new FilesystemError("EIO", { operation, path: given, cause: error });
}

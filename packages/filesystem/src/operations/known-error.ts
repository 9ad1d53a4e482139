import { FilesystemError, isFilesystemError } from "../protocol/filesystem-error.js";
import type { Target } from "./target.js";

/** The call that failed, and its path where that was understood. */
type Call = Pick<Target, "operation" | "given"> & Partial<Pick<Target, "path">>;

/** Lets our own errors and the caller's abort through; whatever else a backend throws becomes `EIO`. */
export function knownError(error: unknown, call: Call, signal: AbortSignal | undefined): unknown {
  if (isFilesystemError(error)) return isOf(call, error) ? error : retold(error, call);
  if (signal?.aborted && error === signal.reason) return error;
  return new FilesystemError("EIO", { operation: call.operation, path: call.given, cause: error });
}

/** Whether an error tells of this call and not of something that a driver did for it. */
function isOf({ operation, given, path }: Call, error: FilesystemError): boolean {
  // A pattern, or the other end of a move, is neither of both.
  return error.operation === operation && (error.path === given || error.path !== path);
}

/** The same failure in the words of the caller, who knows nothing of what a driver calls its work and its paths. */
function retold(error: FilesystemError, { operation, given }: Call): FilesystemError {
  const { code, message, cause } = error;
  const [head, tail] = [`${code}: `, `, ${error.operation} '${error.path}'`];
  const isOurs = message.startsWith(head) && message.endsWith(tail);
  const reason = isOurs ? message.slice(head.length, -tail.length) : undefined;
  return new FilesystemError(code, { operation, path: given, reason, cause });
}

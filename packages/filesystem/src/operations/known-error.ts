import { FilesystemError, isFilesystemError } from "../protocol/filesystem-error.js";
import type { Target } from "./target.js";

/** The call that failed, and its path if it could be normalised. */
type Call = Pick<Target, "operation" | "given"> & Partial<Pick<Target, "path">>;

/** Passes on filesystem errors and the caller's abort. Any other error of a backend becomes `EIO`. */
export function knownError(error: unknown, call: Call, signal: AbortSignal | undefined): unknown {
  if (isFilesystemError(error)) return isOf(call, error) ? error : retold(error, call);
  if (signal?.aborted && error === signal.reason) return error;
  return new FilesystemError("EIO", { operation: call.operation, path: call.given, cause: error });
}

/** Whether the error is about this call and not about a driver's internal operation. */
function isOf({ operation, given, path }: Call, error: FilesystemError): boolean {
  // `error.path` may also be a pattern, or the other path of a move.
  return error.operation === operation && (error.path === given || error.path !== path);
}

/** The same error with the caller's operation and path, because the caller does not know the driver's. */
function retold(error: FilesystemError, { operation, given }: Call): FilesystemError {
  const { code, message, cause } = error;
  const [head, tail] = [`${code}: `, `, ${error.operation} '${error.path}'`];
  const isOurs = message.startsWith(head) && message.endsWith(tail);
  const reason = isOurs ? message.slice(head.length, -tail.length) : undefined;
  return new FilesystemError(code, { operation, path: given, reason, cause });
}

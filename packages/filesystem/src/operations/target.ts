import type { VirtualPath } from "../path/virtual-path.js";
import { FilesystemError, type FilesystemErrorCode } from "../protocol/filesystem-error.js";

/** A caller's path after normalising, with what an error about it needs. */
export interface Target {
  /** The public method. */
  readonly operation: string;
  /** The path as the caller wrote it. */
  readonly given: string;
  readonly path: VirtualPath;
  /** Whether the path ends with a slash. */
  readonly namesDirectory: boolean;
}

export function failure(
  { operation, given }: Pick<Target, "operation" | "given">,
  code: FilesystemErrorCode,
  reason?: string,
): FilesystemError {
  return new FilesystemError(code, { operation, path: given, reason });
}

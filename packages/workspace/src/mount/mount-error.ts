import { FilesystemError } from "@wink/filesystem";
import { fromNodeError } from "@wink/filesystem/host";

/** `path` is the mount's path from the options, or a workspace path. It is never a resolved host path. */
export function mountError(
  code: FilesystemError["code"],
  path: string,
  reason: string,
  cause?: unknown,
): FilesystemError {
  return new FilesystemError(code, { operation: "mount", path, reason, cause });
}

/** Runs `body` and converts Node.js errors to `FilesystemError`. */
export function asMountError<T>(path: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw fromNodeError(error, "mount", path);
  }
}

import { FilesystemError } from "@wink/filesystem";

export function interrupted(operation: string, cause: unknown): FilesystemError {
  const reason =
    "the changes could be neither completed nor rolled back; call recoverApply to continue";
  return new FilesystemError("EIO", { operation, path: ".", reason, cause });
}

export function unknownToken(): FilesystemError {
  const reason = "no applied changes with this undo token in the allowed roots";
  return new FilesystemError("ENOENT", { operation: "undo", path: ".", reason });
}

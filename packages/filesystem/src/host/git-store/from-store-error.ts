import { isSnapshotError, SnapshotError } from "../../snapshots/snapshot-error.js";
import { errorCode, fromNodeError } from "../process/from-node-error.js";

/** Converts every host error of a store. No message contains a host path. */
export function fromStoreError(error: unknown, operation: string, path = "."): unknown {
  if (isSnapshotError(error)) return error;
  const code = errorCode(error);
  if (code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG")
    return new SnapshotError("NO_SPACE", { cause: error });
  return code === undefined ? error : fromNodeError(error, operation, path);
}

import type { CommitRecord } from "../snapshots/filesystem-snapshot.js";
import { readIfThere } from "./store-io.js";

/** Whether it is written down that a transaction counts as committed. A line that was cut off is none. */
export function isCommitted(record: CommitRecord | undefined): boolean {
  if (record === undefined) return false;
  const text = readIfThere(record.file)?.toString() ?? "";
  return text.split("\n").slice(0, -1).includes(record.line);
}

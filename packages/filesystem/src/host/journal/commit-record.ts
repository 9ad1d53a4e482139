import type { CommitRecord } from "../../snapshots/filesystem-snapshot.js";
import { readPrivateFile } from "../process/private-state.js";
import { readIfThere } from "../process/store-io.js";
import { decodeLog } from "./undo-record.js";

/** Whether it is written down that a transaction counts as committed. A line that was cut off is none. */
export function isCommitted(record: CommitRecord | undefined): boolean {
  if (record === undefined) return false;
  const text = readIfThere(record.file)?.toString() ?? "";
  return text.split("\n").slice(0, -1).includes(record.line);
}

/** Whether the log of a transaction names `file` as where it is committed. Another user's log is not read. */
export function worksBy(file: string, log: string): boolean {
  return decodeLog(readPrivateFile(log)?.toString() ?? "").committedBy?.file === file;
}

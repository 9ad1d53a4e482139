import { tolerating } from "../host/from-node-error.js";
import type { CommitRecord } from "../snapshots/filesystem-snapshot.js";
import { readIfThere } from "./store-io.js";
import { decodeLog } from "./undo-record.js";

/** Whether it is written down that a transaction counts as committed. A line that was cut off is none. */
export function isCommitted(record: CommitRecord | undefined): boolean {
  if (record === undefined) return false;
  const text = readIfThere(record.file)?.toString() ?? "";
  return text.split("\n").slice(0, -1).includes(record.line);
}

/** Whether the log of a transaction names `file` as where it is committed. One of somebody else's is closed to us. */
export function worksBy(file: string, log: string): boolean {
  const text = tolerating(["EACCES"], () => readIfThere(log), undefined)?.toString() ?? "";
  return decodeLog(text).committedBy?.file === file;
}

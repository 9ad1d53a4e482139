import type { CommitRecord } from "../../snapshots/filesystem-snapshot.js";
import { readPrivateFile } from "../process/private-state.js";
import { readIfThere } from "../process/store-io.js";
import { decodeLog } from "./undo-record.js";

/** Whether the commit of a transaction is recorded. An incomplete last line does not count. */
export function isCommitted(record: CommitRecord | undefined): boolean {
  if (record === undefined) return false;
  const text = readIfThere(record.file)?.toString() ?? "";
  return text.split("\n").slice(0, -1).includes(record.line);
}

/** Whether the undo log of a transaction names `file` as its commit record. A log of another user is not read. */
export function worksBy(file: string, log: string): boolean {
  return decodeLog(readPrivateFile(log)?.toString() ?? "").committedBy?.file === file;
}

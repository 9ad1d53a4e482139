import type { CommitRecord } from "../snapshots/filesystem-snapshot.js";
import type { VirtualPath } from "../virtual-path.js";

/** How one change is taken back. */
export type UndoRecord =
  /** There was nothing. */
  | { readonly type: "created"; readonly path: VirtualPath }
  /** What was there is kept as `keptAs`: by a second name when it was to be replaced, by a new one when it was to go. */
  | { readonly type: "kept"; readonly path: VirtualPath; readonly keptAs: string }
  | { readonly type: "renamed"; readonly from: VirtualPath; readonly to: VirtualPath };

/**
 * A line of the log: a change that is about to be made, the number of those still to be taken back, or, as the
 * first one, where it is written that nothing is to be taken back any more.
 */
export type LogLine =
  | UndoRecord
  | { readonly type: "remaining"; readonly count: number }
  | ({ readonly type: "committed-by" } & CommitRecord);

export interface DecodedLog {
  /** What is still to be taken back. */
  readonly records: UndoRecord[];
  readonly committedBy: CommitRecord | undefined;
}

export interface RecoverOptions {
  readonly fsync: boolean;
  /** How many logged changes came before what was taken back by other means. @default nothing was */
  readonly startingFrom?: number | undefined;
  /** A log that names this file is recovered whoever it belongs to. @default none */
  readonly takesOver?: string | undefined;
}

export function encodeLine(line: LogLine): string {
  return `${JSON.stringify(line)}\n`;
}

/** A last line cut off by a crash was about a change never made. */
export function decodeLog(text: string): DecodedLog {
  const records: UndoRecord[] = [];
  let committedBy: CommitRecord | undefined;
  for (const line of text.split("\n").slice(0, -1)) {
    // Only ever written by this process or one like it, into a directory of its own.
    const entry = JSON.parse(line) as LogLine;
    if (entry.type === "remaining") records.length = entry.count;
    else if (entry.type === "committed-by") committedBy = entry;
    else records.push(entry);
  }
  return { records, committedBy };
}

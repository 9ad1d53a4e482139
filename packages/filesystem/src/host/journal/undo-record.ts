import type { VirtualPath } from "../../path/virtual-path.js";
import type { CommitRecord } from "../../snapshots/filesystem-snapshot.js";

/** How one change is rolled back. `parentMs` is the time of the directory around the path before the change. */
export type UndoRecord =
  /** The path did not exist before the change. */
  | { readonly type: "created"; readonly path: VirtualPath; readonly parentMs?: number | undefined }
  /** The old node is saved as `keptAs`: hard-linked before a replacement, moved before a removal. */
  | {
      readonly type: "kept";
      readonly path: VirtualPath;
      readonly keptAs: string;
      readonly parentMs?: number | undefined;
    }
  /** The permission bits and the time of a directory changed. */
  | {
      readonly type: "attributes";
      readonly path: VirtualPath;
      readonly mode: number;
      readonly modifiedAtMs: number;
    }
  | {
      readonly type: "renamed";
      readonly from: VirtualPath;
      readonly to: VirtualPath;
      /** The time of the directory around `from` before the change. */
      readonly parentMs?: number | undefined;
    };

/**
 * A line of the log: a change that is about to be made, or the number of changes still to be rolled back. The first
 * line may say where the commit is recorded.
 */
export type LogLine =
  | UndoRecord
  | { readonly type: "remaining"; readonly count: number }
  | ({ readonly type: "committed-by" } & CommitRecord);

export interface DecodedLog {
  /** The changes still to be rolled back. */
  readonly records: UndoRecord[];
  readonly committedBy: CommitRecord | undefined;
}

export interface RecoverOptions {
  readonly fsync: boolean;
  /** The number of logged changes before the ones that a restore already rolled back. @default roll back all */
  readonly startingFrom?: number | undefined;
  /** A log that names this file is recovered even if its process is alive. @default none */
  readonly takesOver?: string | undefined;
}

export function encodeLine(line: LogLine): string {
  return `${JSON.stringify(line)}\n`;
}

/**
 * Reads a log up to the first line that is invalid. After a crash that is the last line, for a change that was
 * never made. The rest of a damaged log is ignored, because a wrong record could move or delete other files.
 */
export function decodeLog(text: string): DecodedLog {
  const records: UndoRecord[] = [];
  let committedBy: CommitRecord | undefined;
  for (const line of text.split("\n").slice(0, -1)) {
    const entry = decodeLine(line, records.length);
    if (entry === undefined) break;
    if (entry.type === "remaining") records.length = entry.count;
    else if (entry.type === "committed-by") committedBy = entry;
    else records.push(entry);
  }
  return { records, committedBy };
}

function decodeLine(line: string, recordCount: number): LogLine | undefined {
  const entry = parseObject(line);
  const { type, path, keptAs, from, to, count, file, line: committed } = entry;
  const { mode, modifiedAtMs } = entry;
  const parentMs = isCount(entry.parentMs) ? entry.parentMs : undefined;
  if (type === "created" && isPath(path)) return { type, path, parentMs };
  if (type === "kept" && isPath(path) && isKeptName(keptAs))
    return { type, path, keptAs, parentMs };
  if (type === "attributes" && isPath(path) && isCount(mode, 0o777) && isCount(modifiedAtMs))
    return { type, path, mode, modifiedAtMs };
  if (type === "renamed" && isPath(from) && isPath(to)) return { type, from, to, parentMs };
  if (type === "remaining" && isCount(count, recordCount)) return { type, count };
  if (type === "committed-by" && typeof file === "string" && typeof committed === "string")
    return { type, file, line: committed };
  return undefined;
}

function parseObject(line: string): Readonly<Record<string, unknown>> {
  try {
    return { ...JSON.parse(line) };
  } catch {
    return {};
  }
}

/** Whether `value` is a path inside the workspace. `..` would escape from it. */
function isPath(value: unknown): value is VirtualPath {
  if (typeof value !== "string" || value.includes("\0")) return false;
  return value.split("/").every((segment) => !["", ".", ".."].includes(segment));
}

/** Whether `value` is a name in the log's own directory, in the form that `UndoLog` generates. */
function isKeptName(value: unknown): value is string {
  return typeof value === "string" && /^\d+-\d+$/.test(value);
}

function isCount(value: unknown, max = Number.MAX_SAFE_INTEGER): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= max;
}

import type { FilesystemSnapshot } from "@wink/filesystem";
import { saveFile } from "@wink/filesystem/host";
import { WorkspaceError } from "../error/workspace-error.js";
import type { WorkspacePlace } from "./workspace-place.js";

/** An apply that can be undone. Paths are workspace paths. */
export interface AppliedChanges {
  readonly undoToken: string;
  /** ISO 8601. */
  readonly appliedAt: string;
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  readonly merged: readonly string[];
}

/** An apply, with what its undo needs. */
export interface AppliedRecord extends AppliedChanges {
  /** The state of the directory before the apply, as far as the workspace knew it. */
  readonly base: FilesystemSnapshot;
}

/** Which files of the directory are copied. */
export interface WorkspaceFilter {
  /** Copies only files that match one of these globs. @default every file */
  readonly include?: readonly string[] | undefined;
  /** Leaves out what matches one of these globs. @default nothing */
  readonly exclude?: readonly string[] | undefined;
  /** Whether to copy secrets too. @default false */
  readonly includeSecrets?: boolean | undefined;
  /** Whether to copy files that `.gitignore` ignores too. @default false */
  readonly includeIgnored?: boolean | undefined;
}

/** A step that changes the directory. Recorded before it starts, so that a later process knows whether it happened. */
export interface PendingStep {
  /**
   * An `apply` has happened if its token can be undone, and an `undo` has happened if its token can no longer be
   * undone.
   */
  readonly kind: "apply" | "undo";
  readonly undoToken: string;
  /** The journal of a partial undo is deleted when the record is saved. */
  readonly forget?: boolean | undefined;
  /** The fields of the record after the step. */
  readonly next: Pick<WorkspaceRecord, "base" | "applied">;
}

export interface WorkspaceRecord {
  readonly version: 2;
  readonly directory: string;
  readonly phase: "new" | "copying" | "ready";
  /** The state of the directory, as far as the workspace knows. */
  readonly base: FilesystemSnapshot | null;
  readonly copied: { readonly fileCount: number; readonly totalBytes: number };
  readonly filter: WorkspaceFilter;
  /** The applies that can be undone, oldest first. */
  readonly applied: readonly AppliedRecord[];
  readonly pending: PendingStep | null;
  /**
   * Whether a call is changing the directory itself. If the process is killed in the call, the directory keeps what the
   * call has written.
   */
  readonly inPlace: boolean;
  /** The last transaction that the saved record commits. */
  readonly committed: string;
}

export const VERSION = 2;

/** As many applies as the undo data of `apply` is stored for. */
export const MAX_APPLIED = 20;

export function newRecord(directory: string, filter: WorkspaceFilter): WorkspaceRecord {
  return {
    version: VERSION,
    directory,
    phase: "new",
    base: null,
    copied: { fileCount: 0, totalBytes: 0 },
    filter,
    applied: [],
    pending: null,
    inPlace: false,
    committed: "",
  };
}

/** One field per line: the line of `committed` commits a transaction. */
export function saveRecord(place: WorkspacePlace, record: WorkspaceRecord): void {
  const fields = Object.entries(record).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`,
  );
  saveFile(place.record, `{\n${fields.join(",\n")}\n}\n`);
}

/** The line of a saved record that commits a transaction. It is the last field. */
export function commitLine(committed: string): string {
  return `"committed":${JSON.stringify(committed)}`;
}

export function unreadable(problem: string, cause?: unknown): WorkspaceError {
  return new WorkspaceError("STATE_UNREADABLE", {
    subject: "workspace",
    reason: `${problem}. The user's directory is unchanged. To start again without unapplied changes, delete the workspace's state.`,
    cause,
  });
}

const REASONS = {
  UNKNOWN_SNAPSHOT: "there is no such snapshot here",
  FOREIGN_SNAPSHOT: "the snapshot belongs to another workspace or store",
  INVALID_NAME: "a name starts with a letter, digit or _ and goes on with those, - and single dots",
  CORRUPT: "the snapshot is damaged and cannot be restored",
  UNREADABLE: "some files could not be read, so nothing was captured",
  INCOMPLETE: "the workspace could not be brought all the way back; restoring again goes on",
  NO_SPACE: "there is no space left",
  BUSY: "another process is at work on the store",
  INVALID_ARCHIVE: "the archive is not a snapshot",
  INVALID_STORE: "the store cannot be used",
  TRANSACTION_ENDED: "the transaction has ended already, or one inside it has not",
} as const;

export type SnapshotErrorCode = keyof typeof REASONS;

export interface SnapshotErrorOptions {
  /** Replaces the stock reason when the caller can act on something more precise. Never holds a host path. */
  readonly reason?: string | undefined;
  /** The workspace paths it is about. */
  readonly paths?: readonly string[] | undefined;
  readonly cause?: unknown;
}

// Registered, so that two copies of this package still recognise each other's errors.
const BRAND = Symbol.for("wink.filesystem.snapshot-error");
const MAX_PATHS_SHOWN = 5;

/** Why a snapshot could not be made, found or restored. Branch on `code`. */
export class SnapshotError extends Error {
  override readonly name = "SnapshotError";
  readonly code: SnapshotErrorCode;
  readonly paths: readonly string[];
  readonly [BRAND] = true;

  constructor(code: SnapshotErrorCode, options: SnapshotErrorOptions = {}) {
    const { reason = REASONS[code], paths = [], cause } = options;
    const shown = paths.slice(0, MAX_PATHS_SHOWN).join(", ");
    const more =
      paths.length > MAX_PATHS_SHOWN ? ` and ${paths.length - MAX_PATHS_SHOWN} more` : "";
    super(
      `${code}: ${reason}${shown && `: ${shown}`}${more}`,
      cause === undefined ? {} : { cause },
    );
    this.code = code;
    this.paths = Object.freeze([...paths]);
  }
}

/** Whether `error` is a {@link SnapshotError}, of this copy of the package or another, and has `code` when one is given. */
export function isSnapshotError(error: unknown, code?: SnapshotErrorCode): error is SnapshotError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || (error as SnapshotError).code === code;
}

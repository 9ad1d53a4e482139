const REASONS = {
  UNKNOWN_SNAPSHOT: "no such snapshot",
  FOREIGN_SNAPSHOT: "the snapshot belongs to another workspace or store",
  INVALID_NAME:
    "a name must start with a letter, digit or _ and contain only those, - and single dots",
  CORRUPT: "the snapshot is damaged and cannot be restored",
  UNREADABLE: "some files could not be read, so nothing was captured",
  INCOMPLETE: "the workspace was only partly restored; restore it again to continue",
  NO_SPACE: "no space left on the disk",
  BUSY: "another process is using the store; try again later",
  INVALID_ARCHIVE: "the archive is not a snapshot",
  INVALID_STORE: "the store cannot be used",
  TRANSACTION_ENDED: "the transaction has already ended, or an inner transaction is still open",
} as const;

export type SnapshotErrorCode = keyof typeof REASONS;

export interface SnapshotErrorOptions {
  /** Replaces the default reason with a more specific one. Never contains a host path. */
  readonly reason?: string | undefined;
  /** The affected workspace paths. */
  readonly paths?: readonly string[] | undefined;
  readonly cause?: unknown;
}

// `Symbol.for`, so that two copies of this package recognise each other's errors.
const BRAND = Symbol.for("wink.filesystem.snapshot-error");
const MAX_PATHS_SHOWN = 5;

/** A snapshot could not be created, found or restored. Branch on `code`. */
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

/** Whether `error` is a {@link SnapshotError} (of any copy of the package), with this `code` if one is given. */
export function isSnapshotError(error: unknown, code?: SnapshotErrorCode): error is SnapshotError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || (error as SnapshotError).code === code;
}

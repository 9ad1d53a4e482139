/** Why a run on disk cannot go on. */
export type DiskRunErrorCode =
  /** The journal holds what was never written to it; nothing was touched. */
  | "journal_invalid"
  /** The directory of the run lies in the workspace, where its own tools would change it. */
  | "directory_inside"
  /** The disk refused a line of the journal, so the call was not made, or is undone. */
  | "journal_failed";

// Registered, so that two copies of this package still recognise each other's errors.
const BRAND = Symbol.for("wink.adapters.disk-run-error");

/** What is wrong with a run on disk. Branch on `code`. The message holds no path. */
export class DiskRunError extends Error {
  override readonly name = "DiskRunError";
  readonly code: DiskRunErrorCode;
  readonly [BRAND] = true;

  constructor(code: DiskRunErrorCode, reason: string, options?: { readonly cause?: unknown }) {
    super(`${code}: ${reason}`, options);
    this.code = code;
  }
}

/** Whether `error` is a {@link DiskRunError}, of `code` if one is given. */
export function isDiskRunError(error: unknown, code?: DiskRunErrorCode): error is DiskRunError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

/** The kinds of disk-run errors. */
export type DiskRunErrorCode =
  /** The journal contains a line that WINK did not write. Nothing was changed. */
  | "journal_invalid"
  /** The run's directory is inside the workspace, where its own tools could change it. */
  | "directory_inside"
  /** A journal line could not be written, so the call was not made or was rolled back. */
  | "journal_failed";

// A registered symbol, so that `isDiskRunError` also recognises errors of a second copy of this
// package.
const BRAND = Symbol.for("wink.adapters.disk-run-error");

/** An error of a run on disk. Branch on `code`. The message contains no path. */
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

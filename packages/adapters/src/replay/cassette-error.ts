/** What is wrong with a replay. */
export type CassetteErrorCode =
  /** It is not a cassette. */
  | "cassette_invalid"
  /** The model is shown something else than when the run was recorded. */
  | "request_changed"
  /** The model is asked more often than it was. */
  | "cassette_ended";

// Registered, so that two copies of this package still recognise each other's errors.
const BRAND = Symbol.for("wink.adapters.cassette-error");

/** Why a recorded run cannot be replayed. Branch on `code`; the message of `request_changed` holds a diff. */
export class CassetteError extends Error {
  override readonly name = "CassetteError";
  readonly code: CassetteErrorCode;
  readonly [BRAND] = true;

  constructor(code: CassetteErrorCode, reason: string, options?: { readonly cause?: unknown }) {
    super(`${code}: ${reason}`, options);
    this.code = code;
  }
}

/** Whether `error` is a {@link CassetteError}, of `code` if one is given. */
export function isCassetteError(error: unknown, code?: CassetteErrorCode): error is CassetteError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

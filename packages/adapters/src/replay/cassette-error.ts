/** The kinds of replay errors. */
export type CassetteErrorCode =
  /** The text is not a cassette. */
  | "cassette_invalid"
  /** A request differs from the recorded one. */
  | "request_changed"
  /** The run made more requests than were recorded. */
  | "cassette_ended";

// A registered symbol, so that `isCassetteError` also recognises errors of a second copy of this
// package.
const BRAND = Symbol.for("wink.adapters.cassette-error");

/**
 * Why a recorded run cannot be replayed. Branch on `code`. The message of `request_changed`
 * contains a diff.
 */
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

/**
 * Why an HTTP service could not be started. The set is closed, and the meaning of a code never
 * changes.
 */
export type ServeHttpErrorCode = "token_invalid" | "socket_invalid" | "socket_in_use";

// A registered symbol, so that `isServeHttpError` also recognises errors of a second copy of this
// package.
const BRAND = Symbol.for("wink.adapters.serve-http-error");

/** Why `serveHttp` rejected. Branch on `code`. */
export class ServeHttpError extends Error {
  override readonly name = "ServeHttpError";
  readonly code: ServeHttpErrorCode;
  readonly [BRAND] = true;

  constructor(code: ServeHttpErrorCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.code = code;
  }
}

/** Whether `error` is a {@link ServeHttpError}, of `code` if one is given. */
export function isServeHttpError(
  error: unknown,
  code?: ServeHttpErrorCode,
): error is ServeHttpError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

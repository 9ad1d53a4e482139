/** Each code, with the reason that is used if none is given. */
const CODES = {
  ARGUMENT_INVALID: "the argument is not valid",
  RESULT_INVALID: "the handler did not return a tool result",
  SESSION_READ_ONLY: "the tool may not change the session",
} as const;

/** The kinds of errors of this package. The set is closed. */
export type AdapterErrorCode = keyof typeof CODES;

export interface AdapterErrorOptions {
  /** What the error is about, such as `tool 'edit_file'`. */
  readonly subject: string;
  /** The problem, and what to do. @default the reason of the code */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

// A registered symbol, so that `isAdapterError` also recognises errors of a second copy of this
// package.
const BRAND = Symbol.for("wink.adapters.error");

/** An error of this package. Branch on `code`. */
export class AdapterError extends Error {
  override readonly name = "AdapterError";
  readonly code: AdapterErrorCode;
  readonly subject: string;
  readonly reason: string;
  readonly [BRAND] = true;

  constructor(code: AdapterErrorCode, options: AdapterErrorOptions) {
    const { subject, reason = CODES[code], cause } = options;
    const end = /[.?!]$/.test(reason) ? "" : ".";
    super(`${subject}: ${reason}${end}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.subject = subject;
    this.reason = reason;
  }
}

/** Whether `error` is an {@link AdapterError}, of `code` if one is given. */
export function isAdapterError(error: unknown, code?: AdapterErrorCode): error is AdapterError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

const KINDS = {
  rate_limited: { retried: true, reason: "the provider's rate limit is reached" },
  overloaded: { retried: true, reason: "the provider is overloaded" },
  server_error: { retried: true, reason: "the provider failed" },
  network: { retried: true, reason: "the connection failed" },
  malformed: { retried: true, reason: "the provider's answer could not be read" },
  quota_exhausted: { retried: false, reason: "the account's quota is used up" },
  unauthorized: { retried: false, reason: "the provider refused the key" },
  not_found: { retried: false, reason: "the provider has no such model" },
  refused: { retried: false, reason: "the provider will not answer this" },
  invalid_request: { retried: false, reason: "the provider refused the request" },
  context_length: { retried: false, reason: "the request is longer than the model can read" },
  not_installed: { retried: false, reason: "the provider's package is not installed" },
} as const;

/** The kinds of model errors. The set is closed, and the meaning of a code never changes. */
export type ModelErrorCode = keyof typeof KINDS;

/** Whether `value` is an error code, for values from outside such as a file. */
export function isModelErrorCode(value: unknown): value is ModelErrorCode {
  return typeof value === "string" && Object.hasOwn(KINDS, value);
}

export interface ModelErrorOptions {
  /** Replaces the default reason. @default the reason of the code */
  readonly reason?: string | undefined;
  /** The delay that the provider requested. @default none */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

// A registered symbol, so that `isModelError` also recognises errors of a second copy of this
// package.
const BRAND = Symbol.for("wink.adapters.model-error");

/** Why a request to a model failed. Branch on `code`. */
export class ModelError extends Error {
  override readonly name = "ModelError";
  readonly code: ModelErrorCode;
  readonly retryAfterMs: number | undefined;
  readonly [BRAND] = true;

  constructor(code: ModelErrorCode, options: ModelErrorOptions = {}) {
    const { reason = KINDS[code].reason, cause, retryAfterMs } = options;
    super(`${code}: ${reason}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether a retry may help. */
  get retried(): boolean {
    return KINDS[this.code].retried;
  }
}

/** Whether `error` is a {@link ModelError}, of `code` if one is given. */
export function isModelError(error: unknown, code?: ModelErrorCode): error is ModelError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

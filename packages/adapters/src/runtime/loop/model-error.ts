const KINDS = {
  rate_limited: { retried: true, reason: "the provider's rate limit is reached" },
  overloaded: { retried: true, reason: "the provider is overloaded" },
  server_error: { retried: true, reason: "the provider failed" },
  network: { retried: true, reason: "the connection failed" },
  malformed: { retried: true, reason: "the provider's answer could not be read" },
  quota_exhausted: { retried: false, reason: "the account has nothing left to spend" },
  unauthorized: { retried: false, reason: "the provider refused the key" },
  not_found: { retried: false, reason: "the provider has no such model" },
  refused: { retried: false, reason: "the provider will not answer this" },
  invalid_request: { retried: false, reason: "the provider refused the request" },
  context_length: { retried: false, reason: "the request is longer than the model can read" },
  not_installed: { retried: false, reason: "the provider's package is not installed" },
} as const;

/** What went wrong with a model. The set is closed; each name means one thing in every release. */
export type ModelErrorCode = keyof typeof KINDS;

/** Whether `value` is one of the codes, such as when it comes from a file. */
export function isModelErrorCode(value: unknown): value is ModelErrorCode {
  return typeof value === "string" && Object.hasOwn(KINDS, value);
}

export interface ModelErrorOptions {
  /** Replaces the stock reason. @default what the code stands for */
  readonly reason?: string | undefined;
  /** How long the provider asked to wait. @default not said */
  readonly retryAfterMs?: number | undefined;
  readonly cause?: unknown;
}

// Registered, so that two copies of this package still recognise each other's errors.
const BRAND = Symbol.for("wink.adapters.model-error");

/** Why a model could not be asked. Branch on `code`. */
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

  /** Whether asking again may help. */
  get retried(): boolean {
    return KINDS[this.code].retried;
  }
}

/** Whether `error` is a {@link ModelError}, of `code` if one is given. */
export function isModelError(error: unknown, code?: ModelErrorCode): error is ModelError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

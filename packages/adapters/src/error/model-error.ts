import { AdapterError, isAdapterError } from "./adapter-error.js";

/** Whether a retry may help, for each code. */
const RETRIED = {
  RATE_LIMITED: true,
  OVERLOADED: true,
  SERVER_ERROR: true,
  NETWORK: true,
  MALFORMED: true,
  QUOTA_EXHAUSTED: false,
  UNAUTHORIZED: false,
  NOT_FOUND: false,
  REFUSED: false,
  INVALID_REQUEST: false,
  CONTEXT_LENGTH: false,
  NOT_INSTALLED: false,
} as const;

/** Whether `value` is an error code, for values from outside such as a file. */
export function isModelErrorCode(value: unknown): value is ModelError["code"] {
  return typeof value === "string" && Object.hasOwn(RETRIED, value);
}

/** A request to a model failed. */
export class ModelError extends AdapterError {
  override readonly name = "ModelError";
  /** Why a request to a model failed. */
  declare readonly code: keyof typeof RETRIED;
  readonly retryAfterMs: number | undefined;

  constructor(
    code: ModelError["code"],
    options: {
      /** @default the reason of the code */
      readonly reason?: string | undefined;
      /** The delay that the provider requested. @default none */
      readonly retryAfterMs?: number | undefined;
      readonly cause?: unknown;
    } = {},
  ) {
    const { reason, cause, retryAfterMs } = options ?? {};
    super(code, { subject: "model", reason, cause });
    this.retryAfterMs = retryAfterMs;
  }

  /** Whether a retry may help. */
  get retried(): boolean {
    return RETRIED[this.code];
  }
}

/** Whether `error` is a {@link ModelError}, of `code` if one is given. */
export function isModelError(error: unknown, code?: ModelError["code"]): error is ModelError {
  return isAdapterError(error, code) && error.name === "ModelError";
}

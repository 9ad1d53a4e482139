const REASONS = {
  link: "it is a symbolic link, and links are not followed",
  not_a_file: "it is not a regular file",
  too_large: "it is larger than the limit for override files",
  bad_json: "it is not JSON",
  bad_shape: "it is not an override file",
  wrong_prompt: "it has the overrides of another prompt",
  exists: "overrides already exist",
  io: "a disk operation failed",
} as const;

/** Why the store refused. The set is closed. */
export type OverrideStoreErrorCode = keyof typeof REASONS;

export interface OverrideStoreErrorOptions {
  /** The file, relative to the store's directory. Never a host path. */
  readonly file: string;
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

// Symbol.for: two copies of this package recognise each other's errors.
const BRAND = Symbol.for("wink.prompt.override-store-error");

/** The error of the override store. Branch on `code`. */
export class OverrideStoreError extends Error {
  override readonly name = "OverrideStoreError";
  readonly code: OverrideStoreErrorCode;
  readonly file: string;
  readonly [BRAND] = true;

  constructor(code: OverrideStoreErrorCode, options: OverrideStoreErrorOptions) {
    const { file, reason = REASONS[code], cause } = options;
    super(`${code}: ${reason}, '${file}'`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.file = file;
  }
}

export function isOverrideStoreError(
  error: unknown,
  code?: OverrideStoreErrorCode,
): error is OverrideStoreError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

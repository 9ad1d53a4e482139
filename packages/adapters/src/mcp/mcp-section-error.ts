const REASONS = {
  options_invalid: "set exactly one of `command`, an absolute `url` and `transport`",
  unreachable: "the server could not be started or reached",
  tools_invalid: "the server's list of tools could not be read",
} as const;

/** Why a foreign server could not be mounted. The set is closed. */
export type McpSectionErrorCode = keyof typeof REASONS;

export interface McpSectionErrorOptions {
  /** The section's key. */
  readonly section: string;
  /** Replaces the default reason. @default the reason of the code */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

// A registered symbol, so that `isMcpSectionError` also recognises errors of a second copy of
// this package.
const BRAND = Symbol.for("wink.adapters.mcp-section-error");

/** Why `McpSection.create` rejected. Branch on `code`. */
export class McpSectionError extends Error {
  override readonly name = "McpSectionError";
  readonly code: McpSectionErrorCode;
  readonly section: string;
  readonly [BRAND] = true;

  constructor(code: McpSectionErrorCode, options: McpSectionErrorOptions) {
    const { section, reason = REASONS[code], cause } = options;
    super(`${code}: ${reason}, section '${section}'`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.section = section;
  }
}

/** Whether `error` is a {@link McpSectionError}, of `code` if one is given. */
export function isMcpSectionError(
  error: unknown,
  code?: McpSectionErrorCode,
): error is McpSectionError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

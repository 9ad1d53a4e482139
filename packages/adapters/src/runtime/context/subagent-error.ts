const REASONS = {
  too_deep: "the maximum nesting depth of subagents is reached",
  not_forkable: "the files of this tool cannot be forked",
} as const;

/** Why a subagent was not started. The set is closed. */
export type SubagentErrorCode = keyof typeof REASONS;

// A registered symbol, so that `isSubagentError` also recognises errors of a second copy of this
// package.
const BRAND = Symbol.for("wink.adapters.subagent-error");

/** Thrown when a subagent was not started. Branch on `code`. */
export class SubagentError extends Error {
  override readonly name = "SubagentError";
  readonly code: SubagentErrorCode;
  readonly [BRAND] = true;

  constructor(code: SubagentErrorCode) {
    super(`${code}: ${REASONS[code]}`);
    this.code = code;
  }
}

/** Whether `error` is a {@link SubagentError}, of `code` if one is given. */
export function isSubagentError(error: unknown, code?: SubagentErrorCode): error is SubagentError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

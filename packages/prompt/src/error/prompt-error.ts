const REASONS = {
  template_invalid: "the template is not usable",
  section_invalid: "the section is not usable",
  key_taken: "two sibling sections have the same key",
  placeholder_unknown: "the text has an unknown placeholder",
  params_missing: "parameters are missing",
  params_unknown: "there are unknown parameters",
  params_invalid: "the parameters do not match the section's schema",
  not_bound: "the prompt has sections whose parameters were not bound",
  tool_invalid: "the tool is not usable",
  tool_name_taken: "two tools of the prompt have the same name",
  example_invalid: "an example does not match the tool's schemas",
  schema_unsupported: "the schema is not supported here",
  predicate_failed: "a function of the section threw or returned an invalid value",
  override_invalid: "the override is not usable",
  resource_unknown: "the prompt has no such resource",
  resource_cycle: "resources depend on each other in a cycle",
  closed: "it is closed",
  duration_invalid: "this is not a duration",
  budget_invalid: "this is not a budget",
  budget_exhausted: "the budget is used up",
} as const;

/** Why something was refused. The set is closed, and a code never changes its meaning. */
export type PromptErrorCode = keyof typeof REASONS;

export interface PromptErrorOptions {
  /** What the error is about, such as `section 'task/details'` or `tool 'count_todos'`. */
  readonly subject: string;
  /** Replaces the default reason with a more precise one. */
  readonly reason?: string | undefined;
  /**
   * The original error. Its text is not repeated in the message, because a model may read the
   * message.
   */
  readonly cause?: unknown;
}

// Symbol.for: two copies of this package recognise each other's errors.
const BRAND = Symbol.for("wink.prompt.error");

/**
 * The only error class of this package, except for the override store's own.
 *
 * Branch on `code`, not on `message`. Test with {@link isPromptError}, not with `instanceof`.
 */
export class PromptError extends Error {
  override readonly name = "PromptError";
  readonly code: PromptErrorCode;
  readonly subject: string;
  readonly [BRAND] = true;

  constructor(code: PromptErrorCode, options: PromptErrorOptions) {
    const { subject, reason = REASONS[code], cause } = options;
    super(`${code}: ${reason}, ${subject}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.subject = subject;
  }
}

/** Whether `error` is a {@link PromptError}, with this `code` if one is given. */
export function isPromptError(error: unknown, code?: PromptErrorCode): error is PromptError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

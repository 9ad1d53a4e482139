const REASONS = {
  template_invalid: "the template is not usable",
  section_invalid: "the section is not usable",
  key_taken: "two sections of one level have the same key",
  placeholder_unknown: "the text names a parameter that the section does not have",
  params_missing: "parameters are missing",
  params_unknown: "there are parameters that nothing takes",
  params_invalid: "the parameters do not fit the section's schema",
  not_bound: "the prompt has sections whose parameters were not bound",
  tool_invalid: "the tool is not usable",
  tool_name_taken: "two tools of the prompt have the same name",
  example_invalid: "an example does not fit the tool's schemas",
  schema_unsupported: "the schema cannot be used here",
  predicate_failed: "a function of the section threw or gave no usable answer",
  override_invalid: "the override is not usable",
  resource_unknown: "the prompt has no such resource",
  resource_cycle: "resources need each other in a circle",
  closed: "it is closed",
  duration_invalid: "this is not a length of time",
  budget_invalid: "this is not a budget",
  budget_exhausted: "the budget does not reach",
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

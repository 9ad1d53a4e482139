const REASONS = {
  TEMPLATE_INVALID: "the template is not usable",
  SECTION_INVALID: "the section is not usable",
  KEY_TAKEN: "two sibling sections have the same key",
  PLACEHOLDER_UNKNOWN: "the text has an unknown placeholder",
  PARAMS_MISSING: "parameters are missing",
  PARAMS_UNKNOWN: "there are unknown parameters",
  PARAMS_INVALID: "the parameters do not match the section's schema",
  NOT_BOUND: "the parameters are not bound. Call bind() first",
  TOOL_INVALID: "the tool is not usable",
  TOOL_NAME_TAKEN: "two tools of the prompt have the same name",
  EXAMPLE_INVALID: "the example does not match the tool's schemas",
  SCHEMA_UNSUPPORTED: "the schema is not supported here",
  PREDICATE_FAILED: "a function of the section threw or returned an invalid value",
  OVERRIDE_INVALID: "the override is not usable",
  OVERRIDE_FILE_INVALID: "the file is not an override file",
  OVERRIDE_EXISTS: "overrides already exist. Pass { overwrite: true } to replace them",
  RESOURCE_UNKNOWN: "the prompt has no such resource",
  RESOURCE_CYCLE: "resources depend on each other in a cycle",
  CLOSED: "it is closed",
  DURATION_INVALID: "this is not a duration",
  BUDGET_INVALID: "this is not a budget",
  BUDGET_EXHAUSTED: "the budget is used up",
  NOT_DURABLE: "the run is not durable",
  ARGUMENT_INVALID: "the argument is not usable",
} as const;

// Symbol.for: two copies of this package recognise each other's errors.
const BRAND = Symbol.for("wink.prompt.error");

/**
 * The only error class of this package.
 *
 * Branch on `code`, not on `message`. Test with {@link isPromptError}, not with `instanceof`.
 */
export class PromptError extends Error {
  override readonly name = "PromptError";
  /** Why something was refused. The set is closed, and a code never changes its meaning. */
  readonly code: keyof typeof REASONS;
  /** What the error is about, such as `section 'task/details'` or `tool 'count_todos'`. */
  readonly subject: string;
  /** The problem and what to do. */
  readonly reason: string;
  readonly [BRAND] = true;

  /** The text of `cause` is not in the message, because a model may read the message. */
  constructor(
    code: PromptError["code"],
    subject: string,
    reason: string = REASONS[code],
    cause?: unknown,
  ) {
    const end = /[.?!…]$/.test(reason) ? "" : ".";
    super(`${String(subject)}: ${reason}${end}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.subject = subject;
    this.reason = reason;
  }
}

/** Whether `error` is a {@link PromptError}, with this `code` if one is given. */
export function isPromptError(error: unknown, code?: PromptError["code"]): error is PromptError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

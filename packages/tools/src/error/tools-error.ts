// Registered, so that two copies of this package still recognise each other's errors.
const BRAND = Symbol.for("wink.tools.error");

/**
 * The base of all errors of this package. Branch on `code`.
 *
 * The message states the subject, the problem and the fix, and contains nothing that a model must not see.
 */
export class ToolsError extends Error {
  override readonly name: string = "ToolsError";
  readonly code:
    | "INVALID_OPTION"
    | "NO_INITIAL_STATE"
    | "EVENT_MISMATCH"
    | "INTERPRETER_MISSING"
    | "ENGINE_MISSING"
    | "ENGINE_UNUSABLE"
    | "ENGINE_TOO_OLD"
    | "IMAGE_MISSING"
    | "IMAGE_UNUSABLE"
    | "LIMIT_UNAVAILABLE"
    | "START_FAILED"
    | "UNSAFE"
    | "NO_SPACE"
    | "CLOSED";
  /** What the error is about, such as `VfsToolsSection` or `image 'debian'`. */
  readonly subject: string;
  /** The problem, as a sentence without its full stop. */
  readonly reason: string;
  /** How to fix it. */
  readonly action: string | undefined;
  readonly [BRAND] = true;

  constructor(
    code: ToolsError["code"],
    options: {
      readonly subject: string;
      readonly reason: string;
      /** @default none */
      readonly action?: string | undefined;
      readonly cause?: unknown;
    },
  ) {
    const { subject = "tools", reason = "it failed", action, cause } = orEmpty(options);
    super(
      `${subject}: ${sentence(reason)}${action === undefined ? "" : ` ${sentence(action)}`}`,
      cause === undefined ? {} : { cause },
    );
    this.code = code;
    this.subject = subject;
    this.reason = reason;
    this.action = action;
  }
}

/** Whether `error` is a `ToolsError`, with this `code` if one is given. */
export function isToolsError(error: unknown, code?: ToolsError["code"]): error is ToolsError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  // Only `ToolsError` sets the brand, so `code` exists.
  return code === undefined || (error as ToolsError).code === code;
}

/** A caller in JavaScript may forget the options. An error that cannot be created would hide the problem. */
function orEmpty<T extends object>(options: T): Partial<T> {
  return typeof options === "object" && options !== null ? options : {};
}

function sentence(text: string): string {
  return /[.?!]$/.test(text) ? text : `${text}.`;
}

const REASONS = {
  DEFINITION_INVALID: "the definition is invalid",
  NAME_TAKEN: "the name is already in use",
  EVENT_INVALID: "the payload does not match the event's schema",
  EVENT_UNKNOWN: "unknown event",
  VALUE_INVALID: "the value does not match the slice's schema",
  NOT_PLAIN_DATA: "the value is not plain JSON data",
  SCHEMA_ASYNC: "the schema is asynchronous. Use a synchronous one",
  SCHEMA_FAILED: "the schema threw an error",
  SCHEMA_UNSTABLE: "the schema does not accept its own output unchanged",
  REDUCER_FAILED: "a reducer threw an error. Nothing was changed",
  DISPATCH_IN_REDUCER: "a reducer must not dispatch. Dispatch from an observer or after the call",
  EVENT_STORM: "observers dispatched too many events",
  SESSION_BUSY: "another operation is in progress",
  SESSION_CLOSED: "the session is closed",
  SESSION_LOCKED: "another writer has the session open",
  EVENTS_DROPPED: "needed events were dropped",
  SNAPSHOT_INVALID: "the session snapshot is invalid or damaged",
  SNAPSHOT_VERSION: "the version of the snapshot's format is not supported",
  SLICE_VERSION: "the stored slice cannot be converted to the defined version",
  MIGRATION_FAILED: "the migration threw an error",
  LOG_INVALID: "the session log is invalid or damaged",
  LOG_FAILED: "the log could not be written. Nothing was changed",
  ARGUMENT_INVALID: "the argument is invalid",
} as const;

// `Symbol.for`, so that two copies of this package recognise each other's errors.
const BRAND = Symbol.for("wink.session.error");

/**
 * The only error class of this package.
 *
 * Branch on `code`, not on `message`. Test with {@link isSessionError}, not with `instanceof`.
 */
export class SessionError extends Error {
  override readonly name = "SessionError";
  /** The error codes. The set is closed, and each code keeps its meaning in every release. */
  readonly code: keyof typeof REASONS;
  /** The thing that failed, such as `slice 'plan'` or `event 'plan.add-step'`. */
  readonly subject: string;
  /** The problem and what to do. */
  readonly reason: string;
  /** The path in the value, such as `payload.steps[3].title`. `undefined` for the whole value. */
  readonly path: string | undefined;
  readonly [BRAND] = true;

  /** The text of `cause` is not in the message, because a model may read the message. */
  constructor(
    code: SessionError["code"],
    subject: string,
    reason: string = REASONS[code],
    options: { readonly path?: string | undefined; readonly cause?: unknown } = {},
  ) {
    const { path, cause } = options;
    const place = path === undefined ? String(subject) : `${String(subject)} at ${path}`;
    const end = /[.?!…]$/.test(reason) ? "" : ".";
    super(`${place}: ${reason}${end}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.subject = subject;
    this.reason = reason;
    this.path = path;
  }
}

/** Whether `error` is a {@link SessionError}, with this `code` if one is given. */
export function isSessionError(error: unknown, code?: SessionError["code"]): error is SessionError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

export function sessionBusy(subject: string, reason: string): SessionError {
  return new SessionError("SESSION_BUSY", subject, reason);
}

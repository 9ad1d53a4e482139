const REASONS = {
  definition_invalid: "the definition is invalid",
  name_taken: "the name is already in use",
  event_invalid: "the payload does not match the event's schema",
  event_unknown: "unknown event",
  value_invalid: "the value does not match the slice's schema",
  not_plain_data: "the value is not plain JSON data",
  schema_async: "the schema is asynchronous; use a synchronous one",
  schema_failed: "the schema threw an error",
  schema_unstable: "the schema does not accept its own output unchanged",
  reducer_failed: "a reducer threw an error; nothing was changed",
  dispatch_in_reducer: "a reducer must not dispatch",
  event_storm: "observers dispatched too many events",
  session_busy: "another operation is in progress",
  session_closed: "the session is closed",
  session_locked: "another writer has the session open",
  events_dropped: "needed events were dropped",
  snapshot_invalid: "the session snapshot is invalid or damaged",
  snapshot_version: "the version of the snapshot's format is not supported",
  slice_version: "the stored slice cannot be converted to the defined version",
  migration_failed: "the migration threw an error",
  log_invalid: "the session log is invalid or damaged",
  log_failed: "the log could not be written; nothing was changed",
  argument_invalid: "the argument is invalid",
} as const;

/** The error codes. The set is closed, and each code keeps its meaning in every release. */
export type SessionErrorCode = keyof typeof REASONS;

export interface SessionErrorOptions {
  /** The thing that failed, such as `slice 'plan'` or `event 'plan.add-step'`. */
  readonly subject: string;
  /** The path in the value, such as `payload.steps[3].title`. Omitted for the whole value. */
  readonly path?: string | undefined;
  /** Replaces the default reason with a more specific one. */
  readonly reason?: string | undefined;
  /** The original error. Its text is not in the message, because a model may read the message. */
  readonly cause?: unknown;
}

// `Symbol.for`, so that two copies of this package recognise each other's errors.
const BRAND = Symbol.for("wink.session.error");

/**
 * The only error class of this package.
 *
 * Branch on `code`, not on `message`. Test with {@link isSessionError}, not with `instanceof`.
 */
export class SessionError extends Error {
  override readonly name = "SessionError";
  readonly code: SessionErrorCode;
  readonly subject: string;
  readonly path: string | undefined;
  readonly [BRAND] = true;

  constructor(code: SessionErrorCode, options: SessionErrorOptions) {
    const { subject, path, reason = REASONS[code], cause } = options;
    const place = path ? `${subject} at ${path}` : subject;
    super(`${code}: ${reason}, ${place}`, cause === undefined ? undefined : { cause });
    this.code = code;
    this.subject = subject;
    this.path = path;
  }
}

/** Whether `error` is a {@link SessionError}, with this `code` if one is given. */
export function isSessionError(error: unknown, code?: SessionErrorCode): error is SessionError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

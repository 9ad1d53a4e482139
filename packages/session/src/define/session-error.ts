const REASONS = {
  definition_invalid: "the definition is not usable",
  name_taken: "the name stands for something else already",
  event_invalid: "the payload does not fit the event's schema",
  event_unknown: "nothing is known of such an event",
  value_invalid: "the value does not fit the slice's schema",
  not_plain_data: "the value is not plain data that JSON can carry",
  schema_async: "the schema answers with a promise, and state is checked at once",
  schema_failed: "the schema threw instead of answering",
  schema_unstable: "the schema does not accept its own output unchanged",
  reducer_failed: "a reducer threw, and nothing was changed",
  dispatch_in_reducer: "a reducer may not dispatch",
  event_storm: "observers kept dispatching",
  session_busy: "something that must not be disturbed is running",
  session_closed: "the session is closed",
  session_locked: "another writer has the session open",
  events_dropped: "events that are needed are no longer held",
  snapshot_invalid: "this is not an undamaged session snapshot",
  snapshot_version: "the snapshot's format is not one this version reads",
  slice_version: "the stored slice's version cannot be brought to the defined one",
  migration_failed: "the migration threw",
  log_invalid: "this is not an undamaged session log",
  log_failed: "the log could not be written, and nothing was changed",
  argument_invalid: "the argument is not usable",
} as const;

/** Why a call was refused. The set is closed; each name means one thing in every release. */
export type SessionErrorCode = keyof typeof REASONS;

export interface SessionErrorOptions {
  /** What it is about, such as `slice 'plan'` or `event 'plan.add-step'`. */
  readonly subject: string;
  /** Where in the value, such as `payload.steps[3].title`. Left out when it is all of it. */
  readonly path?: string | undefined;
  /** Replaces the stock reason when the caller can act on something more precise. */
  readonly reason?: string | undefined;
  /** What was thrown below. Its text is not repeated in the message, which may reach a model. */
  readonly cause?: unknown;
}

// Registered, so that two copies of this package still recognise each other's errors.
const BRAND = Symbol.for("wink.session.error");

/**
 * The one error this package throws.
 *
 * Branch on `code`, not on `message`, and test with {@link isSessionError}
 * rather than `instanceof`.
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

/** Whether `error` is a {@link SessionError}, of `code` if one is given. */
export function isSessionError(error: unknown, code?: SessionErrorCode): error is SessionError {
  if (typeof error !== "object" || error === null || !(BRAND in error)) return false;
  return code === undefined || ("code" in error && error.code === code);
}

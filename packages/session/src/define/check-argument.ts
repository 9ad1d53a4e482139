import { SessionError } from "./session-error.js";

/** JavaScript callers may pass anything, so a wrong argument is named before its members are read. */
export function requireObject(value: unknown, subject: string, advice: string): void {
  if (typeof value === "object" && value !== null) return;
  const given = value === null || value === undefined ? String(value) : `a ${typeof value}`;
  throw new SessionError(
    "ARGUMENT_INVALID",
    subject,
    `expected an object, got ${given}. ${advice}`,
  );
}

export function requireToken(token: unknown, subject: string): void {
  requireObject(token, subject, "Pass the result of defineSlice or defineState.");
}

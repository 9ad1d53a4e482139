import { describeKind, findOptionProblem } from "@wink/filesystem/internal";
import { SessionError } from "./session-error.js";

/** JavaScript callers may pass anything, so a wrong argument is named before its members are read. */
export function requireObject(value: unknown, subject: string, advice: string): void {
  if (typeof value === "object" && value !== null) return;
  throw invalid(subject, `expected an object, got ${describeKind(value)}. ${advice}`);
}

export function requireToken(token: unknown, subject: string): void {
  const advice = "Pass the result of defineSlice or defineState.";
  requireObject(token, subject, advice);
  // The cast is safe: the value is an object.
  if (!Array.isArray((token as { readonly reducers?: unknown }).reducers))
    throw invalid(subject, `expected a slice, got ${describeKind(token)}. ${advice}`);
}

/** Throws `ARGUMENT_INVALID` for an unknown option, with the nearest valid name. */
export function requireOptions(subject: string, options: unknown, known: readonly string[]): void {
  const problem =
    options === undefined
      ? `options are missing. Options: ${known.join(", ")}.`
      : findOptionProblem(options, known);
  if (problem !== undefined) throw invalid(subject, problem);
}

/** Throws `ARGUMENT_INVALID` if `value` is set and not a function. */
export function requireFunction(subject: string, value: unknown): void {
  if (value === undefined || typeof value === "function") return;
  throw invalid(subject, `it must be a function, got ${describeKind(value)}.`);
}

/** Throws `ARGUMENT_INVALID` if `value` is not a function. */
export function requireCallback(subject: string, value: unknown): void {
  if (typeof value !== "function")
    throw invalid(subject, `expected a function, got ${describeKind(value)}.`);
}

/** Throws `ARGUMENT_INVALID` if `value` is not a number. */
export function requireIndex(subject: string, value: unknown): void {
  if (typeof value !== "number")
    throw invalid(subject, `expected a number, got ${describeKind(value)}.`);
}

/** Throws `ARGUMENT_INVALID` if `value` does not declare an event. */
export function requireEvent(subject: string, value: unknown): void {
  const isEvent = (typeof value === "function" || typeof value === "object") && value !== null;
  if (!isEvent || !("type" in value))
    throw invalid(
      subject,
      `expected an event, got ${describeKind(value)}. Pass the result of defineEvent.`,
    );
}

export function requirePath(subject: string, path: unknown): void {
  if (typeof path === "string" && path !== "" && !path.includes("\0")) return;
  const given = typeof path === "string" ? "a string that is not a path" : describeKind(path);
  throw invalid(subject, `expected the path of a file, got ${given}.`);
}

export function invalid(subject: string, reason: string): SessionError {
  return new SessionError("ARGUMENT_INVALID", subject, reason);
}

import { closestName, describeKind, findOptionProblem } from "@wink/filesystem/internal";
import { AdapterError } from "../../error/adapter-error.js";

/** Throws `ARGUMENT_INVALID` if an options object from JavaScript has an unknown key. */
export function requireOptions(subject: string, options: unknown, known: readonly string[]): void {
  const problem =
    options === undefined
      ? `options are missing. Options: ${known.join(", ")}.`
      : findOptionProblem(options, known);
  if (problem !== undefined) throw invalid(subject, problem);
}

/** Throws `ARGUMENT_INVALID` if `value` is set and is not one of `known`. */
export function requireOneOf(subject: string, value: unknown, known: readonly string[]): void {
  if (value === undefined || known.includes(value as string)) return;
  const shown = typeof value === "string" ? `'${value.slice(0, 80)}'` : describeKind(value);
  const closest = typeof value === "string" ? closestName(value, known) : undefined;
  const advice =
    closest === undefined
      ? `Use ${known.map((name) => `'${name}'`).join(" or ")}.`
      : `Did you mean '${closest}'?`;
  throw invalid(subject, `unknown value ${shown}. ${advice}`);
}

/** Throws `ARGUMENT_INVALID` if `value` is set and is not a function. */
export function requireFunction(subject: string, value: unknown): void {
  if (value === undefined || typeof value === "function") return;
  throw invalid(subject, `expected a function, got ${describeKind(value)}.`);
}

/** Throws `ARGUMENT_INVALID` if `value` is not an object with the method `name`. */
export function requireMethod(
  subject: string,
  value: unknown,
  { name, expected }: { readonly name: string; readonly expected: string },
): void {
  if (hasMethod(value, name)) return;
  throw invalid(subject, `expected ${expected}, got ${describeKind(value)}.`);
}

export function requireSession(subject: string, session: unknown): void {
  if (hasMethod(session, "dispatch")) return;
  throw invalid(
    subject,
    `session must be a Session, got ${describeKind(session)}. Pass { session: new Session() }.`,
  );
}

export function hasMethod(value: unknown, name: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  return typeof Reflect.get(value, name) === "function";
}

export function invalid(subject: string, reason: string): AdapterError {
  return new AdapterError("ARGUMENT_INVALID", { subject, reason });
}

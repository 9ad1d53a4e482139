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

export function invalid(subject: string, reason: string): AdapterError {
  return new AdapterError("ARGUMENT_INVALID", { subject, reason });
}

import { closestName, describeKind, findOptionProblem } from "@wink/filesystem/internal";
import { PromptError } from "./prompt-error.js";

/** Refuses an options object with an unknown key, which would be ignored silently, and a value that is not an object. */
export function checkOptions(
  subject: string,
  options: unknown,
  known: readonly string[],
  code: PromptError["code"] = "ARGUMENT_INVALID",
): void {
  const problem =
    options === undefined
      ? "options must be an object, got undefined"
      : findOptionProblem(options, known);
  if (problem !== undefined) throw new PromptError(code, subject, problem);
}

/** `Did you mean 'task'?`, or all names when none is similar. */
export function suggestName(name: string, known: readonly string[], title: string): string {
  const closest = closestName(name, known);
  return closest === undefined
    ? `${title}: ${known.join(", ") || "none"}`
    : `Did you mean '${closest}'?`;
}

/** What JavaScript passed instead of the expected value. Names a forgotten `await`. */
export function describeWrong(value: unknown): string {
  if (isThenable(value)) return "a promise. Write await before it";
  const name: unknown =
    typeof value === "object" && value !== null ? value.constructor?.name : undefined;
  return typeof name === "string" && !["", "Object", "Array"].includes(name)
    ? `an instance of ${name}`
    : describeKind(value);
}

/** Refuses an argument that is not an object with the member `key`. */
export function requireMember(
  subject: string,
  value: unknown,
  key: string,
  expected: string,
): void {
  if (typeof value === "object" && value !== null && key in value) return;
  throw wrongArgument(subject, expected, value);
}

export function requireObject(subject: string, value: unknown, expected: string): void {
  if (typeof value !== "object" || value === null) throw wrongArgument(subject, expected, value);
}

export function requireFunction(subject: string, value: unknown, expected: string): void {
  if (typeof value !== "function") throw wrongArgument(subject, expected, value);
}

export function requireText(subject: string, value: unknown, expected: string): void {
  if (typeof value !== "string") throw wrongArgument(subject, expected, value);
}

export function wrongArgument(subject: string, expected: string, value: unknown): PromptError {
  const reason = `expected ${expected}, got ${describeWrong(value)}`;
  return new PromptError("ARGUMENT_INVALID", subject, reason);
}

/** Shows a short value itself, such as `"12"` or `3`, and only the kind of a list or an object. */
export function showValue(value: unknown): string {
  if (typeof value === "string")
    return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value);
  const isShort = ["number", "boolean", "bigint"].includes(typeof value);
  return isShort ? String(value) : describeKind(value);
}

function isThenable(value: unknown): boolean {
  return typeof value === "object" && value !== null && "then" in value;
}

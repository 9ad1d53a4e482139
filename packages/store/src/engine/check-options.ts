import { quoted, StoreError } from "./store-error.js";

/** Refuses options that are not an object or have an unknown name, which is most often a typing error. */
export function checkOptions(subject: string, options: unknown, names: readonly string[]): void {
  const problem = optionProblem(options, names);
  if (problem !== undefined) throw new StoreError("ARGUMENT_INVALID", subject, problem);
}

/** The problem with these options, as the rest of a sentence. */
export function optionProblem(options: unknown, names: readonly string[]): string | undefined {
  if (options === undefined) return undefined;
  if (typeof options !== "object" || options === null || Array.isArray(options))
    return `expected an object with options, got ${kindOf(options)}`;
  const unknown = Object.keys(options).find((name) => !names.includes(name));
  if (unknown !== undefined)
    return `unknown option ${quoted(unknown)}. Options: ${names.join(", ")}`;
  const { signal } = options as { readonly signal?: { readonly addEventListener?: unknown } };
  return signal === undefined || typeof signal?.addEventListener === "function"
    ? undefined
    : "signal must be an AbortSignal";
}

/** Refuses a value that is not one of the choices. */
export function checkChoice<T>(option: string, value: T | undefined, choices: readonly T[]): void {
  if (value === undefined || choices.includes(value)) return;
  const shown = choices.map((choice) => JSON.stringify(choice)).join(" or ");
  throw new StoreError("ARGUMENT_INVALID", option, `expected ${shown}, got ${shownValue(value)}`);
}

/** A timer with a longer time fires immediately. */
const MAX_TIME_MS = 2 ** 31 - 1;

/** Refuses a value that is not a number, or is too small: a quota that is ignored protects nothing. */
export function checkNumber(
  option: string,
  value: unknown,
  least: number,
  most: number = Number.POSITIVE_INFINITY,
): void {
  if (value === undefined || (typeof value === "number" && value >= least && value <= most)) return;
  const range = most === Number.POSITIVE_INFINITY ? `from ${least}` : `from ${least} to ${most}`;
  throw new StoreError(
    "ARGUMENT_INVALID",
    option,
    `expected a number ${range}, got ${shownValue(value)}`,
  );
}

export function checkTime(option: string, value: unknown): void {
  checkNumber(option, value, 1, MAX_TIME_MS);
}

function shownValue(value: unknown): string {
  return typeof value === "number"
    ? String(value)
    : typeof value === "string"
      ? quoted(value)
      : kindOf(value);
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}

/** The options that every store has. */
const STORE_OPTIONS: readonly string[] = ["timeoutMs", "maxHeadBytes", "maxHeads", "encryption"];

/** Refuses options of a store with an unknown name, or with a number that is none. */
export function checkStoreOptions(
  subject: string,
  options: unknown,
  more: readonly string[] = [],
): void {
  checkOptions(subject, options, [...STORE_OPTIONS, ...more]);
  // `checkOptions` accepts only objects and nothing.
  const given = (options ?? {}) as Readonly<Record<string, unknown>>;
  checkTime("timeoutMs", given["timeoutMs"]);
  checkQuotas(given);
}

export function checkQuotas(given: {
  readonly maxHeadBytes?: unknown;
  readonly maxHeads?: unknown;
}): void {
  checkNumber("maxHeadBytes", given.maxHeadBytes, 0);
  checkNumber("maxHeads", given.maxHeads, 0);
}

import { describeKind } from "../arguments/describe-kind.js";
import { findOptionProblem } from "../arguments/option-problem.js";
import { quoted } from "../arguments/quoted.js";
import { StoreError } from "./store-error.js";

/** Refuses options that are not an object, have an unknown name, or a value of a wrong kind. */
export function checkOptions(subject: string, options: unknown, names: readonly string[]): void {
  const problem = findOptionProblem(options, names);
  if (problem !== undefined) throw new StoreError("ARGUMENT_INVALID", subject, problem);
}

/** The options of a call that has only a signal. */
export function checkCallOptions(subject: string, options: unknown): void {
  checkOptions(subject, options, ["signal"]);
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
  min: number,
  max: number = Number.POSITIVE_INFINITY,
): void {
  if (value === undefined || (typeof value === "number" && value >= min && value <= max)) return;
  const range = max === Number.POSITIVE_INFINITY ? `from ${min}` : `from ${min} to ${max}`;
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
      : describeKind(value);
}

/** The options that every store has. */
const STORE_OPTIONS: readonly string[] = ["timeoutMs", "maxHeadBytes", "maxHeads", "encryption"];

/** Refuses store options with an unknown name, and a value that must be a number and is not. */
export function checkStoreOptions(
  subject: string,
  options: unknown,
  more: readonly string[] = [],
): void {
  checkOptions(subject, options, [...STORE_OPTIONS, ...more]);
  // `checkOptions` has refused everything except an object and `undefined`.
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

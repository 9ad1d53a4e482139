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
  return unknown === undefined
    ? undefined
    : `unknown option ${quoted(unknown)}. Options: ${names.join(", ")}`;
}

function kindOf(value: unknown): string {
  if (value === null) return "null";
  return Array.isArray(value) ? "an array" : `a value of type ${typeof value}`;
}

/** The options that every store has. */
export const STORE_OPTIONS: readonly string[] = [
  "timeoutMs",
  "maxHeadBytes",
  "maxHeads",
  "encryption",
];

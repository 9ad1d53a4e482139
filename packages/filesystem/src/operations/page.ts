import { failure, type Target } from "./workspace.js";

export interface Page {
  readonly offset: number;
  readonly limit: number;
}

export interface PageOptions {
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

/** Validates the caller's values. A limit above `max` is reduced to `max`. */
export function pageOf(
  target: Pick<Target, "operation" | "given">,
  options: PageOptions,
  defaultLimit: number,
  max: number = Number.MAX_SAFE_INTEGER,
): Page {
  const offset = count(target, "offset", options.offset) ?? 0;
  const limit = count(target, "limit", options.limit) ?? defaultLimit;
  return { offset, limit: Math.min(limit, max) };
}

/** Requires an integer of at least 0; `undefined` when none was given. */
export function count(
  target: Pick<Target, "operation" | "given">,
  name: string,
  value: number | undefined,
): number | undefined {
  if (value === undefined) return undefined;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw failure(target, "EINVAL", `${name} must be a whole number of at least 0`);
}

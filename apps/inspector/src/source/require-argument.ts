import { SourceError } from "./source-error.js";

/** A whole number from 0 up to `max`. */
export function requireNumber(what: string, value: unknown, max = Number.MAX_SAFE_INTEGER): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0 && value <= max)
    return value;
  throw new SourceError("INVALID", `${what}: it must be a whole number from 0 to ${max}.`);
}

export function requireText(what: string, value: unknown, maxLength: number): string {
  if (typeof value === "string" && value.length <= maxLength) return value;
  throw new SourceError(
    "INVALID",
    `${what}: it must be a text of at most ${maxLength} characters.`,
  );
}

/** The id of a content, state or part: letters, digits, `-` and `_`. */
export function requireId(what: string, value: unknown): string {
  const id = requireText(what, value, 200);
  if (/^[\w-]+$/.test(id)) return id;
  throw new SourceError("INVALID", `${what}: it is not an id.`);
}

export function unknown(what: string): SourceError {
  return new SourceError("UNKNOWN", `${what} does not exist.`);
}

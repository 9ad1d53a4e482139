import type { Position } from "../model/run-overview.js";
import type { SearchOptions } from "../model/run-views.js";
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

export function requirePosition(value: unknown): Position {
  const { events, turns, calls, version }: Partial<Record<keyof Position, unknown>> = Object(value);
  return {
    events: requireNumber("events", events),
    turns: requireNumber("turns", turns),
    calls: requireNumber("calls", calls),
    version: requireText("version", version, 100),
  };
}

const PLACES = ["events", "text", "paths"] as const;

export function requireSearch(value: unknown): SearchOptions {
  const given: Partial<Record<keyof SearchOptions, unknown>> = Object(value);
  const { in: places = PLACES, limit = 200, after = "" } = given;
  if (!Array.isArray(places)) throw new SourceError("INVALID", "in: it must be a list.");
  return {
    in: PLACES.filter((place) => places.includes(place)),
    limit: Math.max(1, requireNumber("limit", limit, 1_000)),
    after: requireText("after", after, 100),
  };
}

export function unknown(what: string): SourceError {
  return new SourceError("UNKNOWN", `${what} does not exist.`);
}

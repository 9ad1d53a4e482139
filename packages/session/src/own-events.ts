import type { JsonValue } from "./json-value.js";

/**
 * The events by which a session records what is done to it without an event of
 * the user's. They are part of the log's format.
 */
export const OwnEvent = {
  seedSlice: "wink.seed-slice",
  appendSlice: "wink.append-slice",
  clearSlice: "wink.clear-slice",
  resetSession: "wink.reset-session",
  loadSnapshot: "wink.load-snapshot",
} as const;

export type OwnEventType = (typeof OwnEvent)[keyof typeof OwnEvent];

/** What the events about one slice say. */
export interface SliceChange {
  readonly slice: string;
  /** What `seed` and `append` were given. */
  readonly items?: readonly JsonValue[];
  /** Which positions `clear` removed. All of them when it is left out. */
  readonly removed?: readonly number[];
}

export function isOwnEventType(type: string): type is OwnEventType {
  return (Object.values(OwnEvent) as readonly string[]).includes(type);
}

/** Whether `payload`, which may come from a file, is a change to one slice. */
export function isSliceChange(payload: unknown): payload is SliceChange {
  if (typeof payload !== "object" || payload === null || !("slice" in payload)) return false;
  const { slice, items, removed }: { slice: unknown; items?: unknown; removed?: unknown } = payload;
  return (
    typeof slice === "string" &&
    (items === undefined || Array.isArray(items)) &&
    (removed === undefined || (Array.isArray(removed) && removed.every(Number.isSafeInteger)))
  );
}

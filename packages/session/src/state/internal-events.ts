import type { JsonValue } from "../define/json-value.js";
import { freezeData } from "../define/plain-data.js";

/** The session's own events. They record changes that no event of the user caused, and are part of the log's format. */
export const InternalEvent = {
  seedSlice: "wink.seed-slice",
  appendSlice: "wink.append-slice",
  clearSlice: "wink.clear-slice",
  resetSession: "wink.reset-session",
  loadSnapshot: "wink.load-snapshot",
} as const;

export type OwnEventType = (typeof InternalEvent)[keyof typeof InternalEvent];

/** The payload of the events about one slice. */
export interface SliceChange {
  readonly slice: string;
  /** The arguments of `seed` and `append`. */
  readonly items?: readonly JsonValue[];
  /** The indexes that `clear` removed; `undefined` means all. */
  readonly removed?: readonly number[];
}

const ownTypes: ReadonlySet<string> = new Set(Object.values(InternalEvent));

export function isInternalEventType(type: string): type is OwnEventType {
  return ownTypes.has(type);
}

/** Whether `payload`, which may come from a file, is a change of one slice. */
export function isSliceChange(payload: unknown): payload is SliceChange {
  if (typeof payload !== "object" || payload === null || !("slice" in payload)) return false;
  const { slice, items, removed }: { slice: unknown; items?: unknown; removed?: unknown } = payload;
  return (
    typeof slice === "string" &&
    (items === undefined || Array.isArray(items)) &&
    (removed === undefined || (Array.isArray(removed) && removed.every(Number.isSafeInteger)))
  );
}

/** Returns the change as frozen plain data. */
export function freezeChange(change: SliceChange): SliceChange {
  const subject = `slice '${change.slice}'`;
  const items = change.items && { items: freezeData(change.items, subject, "items") };
  return freezeData({ ...change, ...items }, subject, "change");
}

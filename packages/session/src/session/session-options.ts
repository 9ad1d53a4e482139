import { describeKind } from "@wink/filesystem/internal";
import { invalid, requireFunction, requireOptions } from "../define/check-argument.js";
import type { JsonObject } from "../define/json-value.js";
import { freezeData } from "../define/plain-data.js";
import type { AnySliceToken } from "../state/reduce-slice.js";
import type { Dispatcher } from "./dispatcher.js";
import type { Session } from "./session.js";

export interface SessionOptions {
  /** @default a random UUID */
  readonly id?: string;
  /** The parent session. Its `children` contain this session until this session is closed. */
  readonly parent?: Session;
  /** Short texts to find the session. @default none */
  readonly tags?: Readonly<Record<string, string>>;
  /** Returns milliseconds since 1970. Used only for the timestamps of events. @default Date.now */
  readonly clock?: () => number;
  /** Receives every event. @default a new `InProcessDispatcher` */
  readonly dispatcher?: Dispatcher;
  /** Slices to install immediately. @default none */
  readonly slices?: readonly AnySliceToken[];
  /** The maximum number of events in the trail. The oldest are dropped. @default no limit */
  readonly maxEvents?: number;
  /** How many events observers may dispatch in response to one event. @default 1000 */
  readonly maxChainedEvents?: number;
}

/** The names of {@link SessionOptions}. */
export const SESSION_OPTIONS: readonly string[] = [
  ...["id", "parent", "tags", "clock", "dispatcher", "slices", "maxEvents", "maxChainedEvents"],
];

export interface DispatchOptions {
  /** Plain data to store with the event, such as the id of the tool call. @default none */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface RestoreOptions {
  /** Stored with the events that are rolled back. @default "restored" */
  readonly reason?: string;
}

/** Prevents a restore of the session's ancestors until it is released. */
export interface SessionHold extends Disposable {
  release(): void;
}

export function checkSessionOptions(options: SessionOptions): void {
  requireOptions("Session", options, SESSION_OPTIONS);
  requireFunction("clock", options.clock);
}

/** Whether there is a parent. Throws `ARGUMENT_INVALID` if it is not a session. */
export function isParent(parent: Session | undefined): parent is Session {
  if (parent === undefined) return false;
  if (typeof Object(parent).dispatch === "function") return true;
  throw invalid("parent", `it must be a Session, got ${describeKind(parent)}.`);
}

export function checkId(id: unknown): string {
  if (typeof id === "string" && id !== "" && id.length <= 256) return id;
  throw invalid("id", "the id must be a string of 1 to 256 characters");
}

export function checkTags(
  tags: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const frozen = freezeData(tags, "session", "tags");
  if (Object.values(frozen).every((tag) => typeof tag === "string")) return frozen;
  throw invalid("tags", "tags must be strings");
}

export function checkLimit(name: string, limit: number | undefined, fallback: number): number {
  if (limit === undefined) return fallback;
  const isLimit = Number.isSafeInteger(limit) || limit === Number.POSITIVE_INFINITY;
  if (isLimit && limit >= 0) return limit;
  throw invalid(name, "the limit must be a whole number of at least 0, or Infinity");
}

export function freezeMeta(meta: Readonly<Record<string, unknown>>, type: string): JsonObject {
  // `freezeData` accepts only JSON. The parameter's type guarantees an object.
  return freezeData(meta, `event '${type}'`, "meta") as JsonObject;
}

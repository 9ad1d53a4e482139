import type { JsonObject } from "../define/json-value.js";
import { freezeData } from "../define/plain-data.js";
import { SessionError } from "../define/session-error.js";
import type { AnySliceToken } from "../state/reduce-slice.js";
import type { Dispatcher } from "./dispatcher.js";
import type { Session } from "./session.js";

export interface SessionOptions {
  /** @default a random UUID */
  readonly id?: string;
  /** The session this one works for. It is then among the parent's `children` until it is closed. */
  readonly parent?: Session;
  /** Short texts to find it by. @default none */
  readonly tags?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970, for the timestamps of events and for nothing else. @default Date.now */
  readonly clock?: () => number;
  /** Told of every event. @default a new `InProcessDispatcher` */
  readonly dispatcher?: Dispatcher;
  /** Slices to install at once. @default none */
  readonly slices?: readonly AnySliceToken[];
  /** How many events the trail holds; the oldest are let go. @default no limit */
  readonly maxEvents?: number;
  /** How many events observers may dispatch in answer to one. @default 1000 */
  readonly maxChainedEvents?: number;
}

export interface DispatchOptions {
  /** Plain data to remember with the event, such as the id of the tool call. @default none */
  readonly meta?: Readonly<Record<string, unknown>>;
}

export interface RestoreOptions {
  /** Stands with the events that are undone. @default "restored" */
  readonly reason?: string;
}

/** Keeps the state of a session's ancestors where it is until it is released. */
export interface SessionHold extends Disposable {
  release(): void;
}

export function checkId(id: unknown): string {
  if (typeof id === "string" && id !== "" && id.length <= 256) return id;
  throw invalid("id", "an id is a text of 1 to 256 characters");
}

export function checkTags(
  tags: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const frozen = freezeData(tags, "session", "tags");
  if (Object.values(frozen).every((tag) => typeof tag === "string")) return frozen;
  throw invalid("tags", "tags are texts");
}

export function checkLimit(name: string, limit: number | undefined, fallback: number): number {
  if (limit === undefined) return fallback;
  const isLimit = Number.isSafeInteger(limit) || limit === Number.POSITIVE_INFINITY;
  if (isLimit && limit >= 0) return limit;
  throw invalid(name, "a limit is a whole number from 0, or Infinity");
}

export function freezeMeta(meta: Readonly<Record<string, unknown>>, type: string): JsonObject {
  // What freezeData lets pass is JSON; that it is an object follows from the parameter's type.
  return freezeData(meta, `event '${type}'`, "meta") as JsonObject;
}

function invalid(subject: string, reason: string): SessionError {
  return new SessionError("argument_invalid", { subject, reason });
}

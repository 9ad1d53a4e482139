import { checkValue } from "../define/check-value.js";
import type { SessionEvent } from "../define/define-event.js";
import type { SliceToken } from "../define/define-slice.js";
import type { StateToken } from "../define/define-state.js";
import type { Registration } from "../define/definition.js";
import { ItemList } from "../define/item-list.js";
import { freezeData } from "../define/plain-data.js";
import { applicationOf } from "../define/reducers.js";
import { isSessionError, SessionError } from "../define/session-error.js";
import { InternalEvent, isSliceChange } from "./internal-events.js";

/** A token of any slice. */
export type AnySliceToken = SliceToken | StateToken;

/** A slice in one session. */
export interface InstalledSlice {
  readonly token: AnySliceToken;
  /** The reducers by event type: those of the token and the registered ones. */
  readonly reducers: Map<string, readonly Registration[]>;
  content: ItemList<unknown>;
}

/** Applies `event` to a slice's content. Throws when a reducer throws or its result is invalid. */
export function reduceSlice(
  slice: InstalledSlice,
  content: ItemList<unknown>,
  event: SessionEvent,
): ItemList<unknown> {
  if (event.type === InternalEvent.resetSession) return ItemList.empty();
  if (isChangeOf(slice, event)) return applyChange(slice.token, content, event);
  let next = content;
  for (const registration of slice.reducers.get(event.type) ?? []) {
    next = applyReducer(slice.token, next, registration, event);
  }
  return next;
}

/** Validates one item with the slice's schema and freezes it. */
function acceptItem(token: AnySliceToken, item: unknown, root: string): unknown {
  const subject = `slice '${token.name}'`;
  const frozen = freezeData(item, subject, root);
  return checkValue(token.schema, frozen, { subject, root, code: "VALUE_INVALID" });
}

function isChangeOf(slice: InstalledSlice, { type, payload }: SessionEvent): boolean {
  const known =
    type === InternalEvent.seedSlice ||
    type === InternalEvent.appendSlice ||
    type === InternalEvent.clearSlice;
  return known && isSliceChange(payload) && payload.slice === slice.token.name;
}

function applyChange(
  token: AnySliceToken,
  content: ItemList<unknown>,
  { type, payload }: SessionEvent,
): ItemList<unknown> {
  if (!isSliceChange(payload)) return content;
  const { items = [], removed } = payload;
  if (type === InternalEvent.clearSlice) {
    if (removed === undefined) return ItemList.empty();
    const gone = new Set(removed);
    return ItemList.of(content.toArray().filter((_, index) => !gone.has(index)));
  }
  const accepted = items.map((item, index) => acceptItem(token, item, `items[${index}]`));
  if (type === InternalEvent.appendSlice && token.kind === "list") return content.append(accepted);
  return ItemList.of(token.kind === "list" ? accepted : accepted.slice(-1));
}

function applyReducer(
  token: AnySliceToken,
  content: ItemList<unknown>,
  registration: Registration,
  event: SessionEvent,
): ItemList<unknown> {
  // The reducer was typed for this slice and this event when it was registered.
  const reduce = registration.reduce as (current: unknown, payload: unknown) => unknown;
  if (token.kind === "value") {
    const current = content.length > 0 ? content.at(0) : token.initial;
    const next = guard(token, event, reduce, current);
    if (next === current && content.length > 0) return content;
    return ItemList.of([next === current ? next : acceptItem(token, next, "value")]);
  }
  const apply = applicationOf(reduce);
  if (!apply) return acceptItems(token, content, guard(token, event, reduce, content.toArray()));
  const isChecked = token.schema === registration.event.schema;
  const item = isChecked ? event.payload : acceptItem(token, event.payload, "payload");
  return guard(token, item === event.payload ? event : { ...event, payload: item }, apply, content);
}

/** Accepts the array of a reducer. Items that were already in the list are neither validated nor copied again. */
function acceptItems(
  token: AnySliceToken,
  content: ItemList<unknown>,
  next: unknown,
): ItemList<unknown> {
  if (next === content.toArray()) return content;
  if (!Array.isArray(next))
    throw new SessionError(
      "VALUE_INVALID",
      `slice '${token.name}'`,
      "the reducer of a list must return an array",
    );
  const before = content.toArray();
  const kept = before.findIndex((item, index) => index >= next.length || item !== next[index]);
  const shared = kept < 0 ? before.length : kept;
  const known = shared < before.length ? new Set(before) : undefined;
  const accepted = Array.from(next.slice(shared), (item: unknown, index) =>
    known?.has(item) ? item : acceptItem(token, item, `items[${shared + index}]`),
  );
  if (shared === before.length) return content.append(accepted);
  return ItemList.of([...before.slice(0, shared), ...accepted]);
}

/** Calls a reducer and converts its error to `REDUCER_FAILED`. */
function guard<Content, Result>(
  token: AnySliceToken,
  { type, payload }: SessionEvent,
  reduce: (content: Content, payload: unknown) => Result,
  content: Content,
): Result {
  try {
    return reduce(content, payload);
  } catch (cause) {
    if (isSessionError(cause)) throw cause;
    throw new SessionError("REDUCER_FAILED", `slice '${token.name}' on '${type}'`, undefined, {
      cause,
    });
  }
}

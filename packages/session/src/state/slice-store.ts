import type { EventDeclaration, SessionEvent } from "../define/define-event.js";
import type { Registration } from "../define/definition.js";
import { ItemList } from "../define/item-list.js";
import { SessionError } from "../define/session-error.js";
import { InternalEvent, isSliceChange } from "./internal-events.js";
import { type AnySliceToken, type InstalledSlice, reduceSlice } from "./reduce-slice.js";
import { readStoredSlice, type StoredSlice } from "./stored-slice.js";

/** A slice's content at one moment, with its definition. */
interface LiveSlice {
  readonly token: AnySliceToken;
  readonly content: ItemList<unknown>;
}

/** A captured slice: live, or in JSON form if its definition was not available. */
export type CapturedSlice = LiveSlice | StoredSlice;

/** New contents, computed but not yet committed. */
export type Changes = ReadonlyMap<InstalledSlice, ItemList<unknown>>;

/** A complete new state, computed but not yet committed. */
export interface NewState {
  readonly contents: Changes;
  readonly aside: ReadonlyMap<string, StoredSlice>;
}

/**
 * The slices of one session. `reduce`, `prepare` and `plan` only compute; `commit`, `add` and `replace` change the
 * session.
 */
export class SliceStore {
  readonly #slices = new Map<string, InstalledSlice>();
  readonly #byType = new Map<string, Set<InstalledSlice>>();
  readonly #events = new Map<string, EventDeclaration>();
  /** Stored slices without an installed definition. */
  #aside: ReadonlyMap<string, StoredSlice> = new Map();

  /** The slice of `token`, or `undefined` when it is not installed. */
  find(token: AnySliceToken): InstalledSlice | undefined {
    const slice = this.#slices.get(token.name);
    if (slice && slice.token !== token) throw taken(`slice '${token.name}'`, "another definition");
    return slice;
  }

  /** Creates a slice with its stored content. It takes effect when it is added. */
  prepare(token: AnySliceToken): InstalledSlice {
    for (const { event } of token.reducers) this.#checkEvent(event);
    const reducers = new Map<string, readonly Registration[]>();
    for (const each of token.reducers)
      reducers.set(each.event.type, [...(reducers.get(each.event.type) ?? []), each]);
    const stored = this.#aside.get(token.name);
    const content = stored ? readStoredSlice(token, stored) : ItemList.empty<unknown>();
    return { token, reducers, content };
  }

  add(slice: InstalledSlice): void {
    const { name } = slice.token;
    this.#slices.set(name, slice);
    for (const registrations of slice.reducers.values())
      for (const { event } of registrations) this.#index(event, slice);
    if (this.#aside.has(name)) this.#aside = without(this.#aside, name);
  }

  register(slice: InstalledSlice, registration: Registration): void {
    const { event } = registration;
    this.#checkEvent(event);
    slice.reducers.set(event.type, [...(slice.reducers.get(event.type) ?? []), registration]);
    this.#index(event, slice);
  }

  /** The event of `type`, if a slice has a reducer for it. */
  eventOf(type: string): EventDeclaration | undefined {
    return this.#events.get(type);
  }

  reduce(event: SessionEvent): Changes {
    const changes = new Map<InstalledSlice, ItemList<unknown>>();
    for (const slice of this.#touchedBy(event))
      changes.set(slice, reduceSlice(slice, slice.content, event));
    return changes;
  }

  commit(changes: Changes): void {
    for (const [slice, content] of changes) slice.content = content;
  }

  capture(): Map<string, CapturedSlice> {
    const captured = new Map<string, CapturedSlice>(this.#aside);
    for (const { token, content } of this.#slices.values())
      captured.set(token.name, { token, content });
    return captured;
  }

  /**
   * The state that the session would have with `captured`.
   *
   * `missing` gives the content of slices that `captured` does not contain. Logs are excluded unless `includeLogs` is
   * set, which is for a session that starts from `captured`.
   */
  plan(
    captured: ReadonlyMap<string, CapturedSlice>,
    missing: (slice: InstalledSlice, base: ItemList<unknown>) => ItemList<unknown>,
    includeLogs = false,
  ): NewState {
    const contents = new Map<InstalledSlice, ItemList<unknown>>();
    const aside = new Map<string, StoredSlice>();
    for (const [name, slice] of captured) {
      if (this.#slices.has(name)) continue;
      if ("token" in slice) contents.set({ ...this.prepare(slice.token) }, slice.content);
      else aside.set(name, slice);
    }
    for (const slice of this.#slices.values()) {
      if (slice.token.policy === "log" && !includeLogs) continue;
      const found = captured.get(slice.token.name);
      if (found && "token" in found && found.token === slice.token) {
        contents.set(slice, found.content);
      } else {
        const base = found
          ? readStoredSlice(slice.token, asStored(found))
          : ItemList.empty<unknown>();
        contents.set(slice, found && "token" in found ? base : missing(slice, base));
      }
    }
    return { contents, aside };
  }

  /** Commits a complete new state. */
  replace({ contents, aside }: NewState): void {
    for (const slice of contents.keys()) if (!this.#slices.has(slice.token.name)) this.add(slice);
    this.commit(contents);
    this.#aside = aside;
  }

  /** Copies every slice, for a clone. */
  copyInto(other: SliceStore): void {
    for (const slice of this.#slices.values())
      other.add({ ...slice, reducers: new Map(slice.reducers) });
    other.#aside = this.#aside;
  }

  #touchedBy({ type, payload }: SessionEvent): Iterable<InstalledSlice> {
    if (type === InternalEvent.resetSession) return this.#slices.values();
    const touched = this.#byType.get(type);
    if (touched) return touched;
    const slice = isSliceChange(payload) ? this.#slices.get(payload.slice) : undefined;
    return slice ? [slice] : [];
  }

  #index(event: EventDeclaration, slice: InstalledSlice): void {
    this.#events.set(event.type, event);
    const slices = this.#byType.get(event.type) ?? new Set();
    this.#byType.set(event.type, slices.add(slice));
  }

  #checkEvent(event: EventDeclaration): void {
    const known = this.#events.get(event.type);
    if (known && known.schema !== event.schema)
      throw taken(`event '${event.type}'`, "an event with another schema");
  }
}

/** A captured slice in JSON form. */
export function asStored(slice: CapturedSlice): StoredSlice {
  if (!("token" in slice)) return slice;
  return { version: slice.token.version, items: slice.content.toArray() };
}

function taken(subject: string, by: string): SessionError {
  return new SessionError("NAME_TAKEN", subject, `the name is used by ${by} in this session`);
}

function without<Value>(map: ReadonlyMap<string, Value>, key: string): ReadonlyMap<string, Value> {
  return new Map([...map].filter(([each]) => each !== key));
}

import {
  requireCallback,
  requireEvent,
  requireFunction,
  requireIndex,
} from "../define/check-argument.js";
import type { EventDeclaration, PayloadOf } from "../define/define-event.js";
import type { ListReducer } from "../define/define-slice.js";
import type { StateReducer } from "../define/define-state.js";
import type { Registration } from "../define/definition.js";
import type { ItemList } from "../define/item-list.js";
import type { JsonValue } from "../define/json-value.js";
import { InternalEvent, type SliceChange } from "./internal-events.js";

/** The read methods of a slice. All results are frozen. */
export interface SliceReader<Item> extends Iterable<Item> {
  /** The number of items. For a state: 0 until it has a value, then 1. */
  readonly size: number;
  /** The newest item. */
  latest(): Item | undefined;
  /** All items, oldest first. */
  all(): readonly Item[];
  /** The items that match. */
  where<Narrow extends Item>(predicate: (item: Item) => item is Narrow): readonly Narrow[];
  where(predicate: (item: Item) => boolean): readonly Item[];
  /** The item at `index`. A negative index counts from the end. */
  at(index: number): Item | undefined;
}

/** A list in a session. Each change is recorded as an event. */
export interface ListSlice<Item> extends SliceReader<Item> {
  /** Replaces all items. An array is the list of items, any other value is a single item. */
  seed(items: readonly Item[] | Item): void;
  append(...items: readonly Item[]): void;
  /** Removes the items that match, or all items. */
  clear(predicate?: (item: Item) => boolean): void;
  /** Adds a reducer in this session, for later events. */
  register<Event extends EventDeclaration>(
    event: Event,
    reduce: ListReducer<Item, PayloadOf<Event>>,
  ): void;
}

/** A single value in a session. Each change is recorded as an event. */
export interface StateSlice<Value> extends SliceReader<Value> {
  /** Sets the value. */
  seed(value: Value): void;
  /** Sets the value, like `seed`. */
  append(value: Value): void;
  /** Removes the value. With a predicate, only if it matches. Then `session.state` returns the initial value. */
  clear(predicate?: (value: Value) => boolean): void;
  /** Adds a reducer in this session, for later events. */
  register<Event extends EventDeclaration>(
    event: Event,
    reduce: StateReducer<Value, PayloadOf<Event>>,
  ): void;
}

/** The functions of the session that a view needs. */
export interface SliceAccess<Item> {
  readonly name: string;
  readonly kind: "list" | "value";
  readonly content: () => ItemList<Item>;
  change(type: string, payload: SliceChange): void;
  register(registration: Registration): void;
}

/** Reads a slice: the current one of a session, or a captured one. */
export class SliceContents<Item> implements SliceReader<Item> {
  readonly #content: () => ItemList<Item>;

  constructor(content: () => ItemList<Item>) {
    this.#content = content;
  }

  get size(): number {
    return this.#content().length;
  }

  latest(): Item | undefined {
    return this.#content().at(-1);
  }

  all(): readonly Item[] {
    return this.#content().toArray();
  }

  where<Narrow extends Item>(predicate: (item: Item) => item is Narrow): readonly Narrow[];
  where(predicate: (item: Item) => boolean): readonly Item[];
  where(predicate: (item: Item) => boolean): readonly Item[] {
    requireCallback("slice.where", predicate);
    return Object.freeze(this.all().filter((item) => predicate(item)));
  }

  at(index: number): Item | undefined {
    requireIndex("slice.at", index);
    return this.#content().at(index);
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#content()[Symbol.iterator]();
  }
}

/** Implements both kinds of slice. The token's type decides which interface a caller sees. */
export class SliceView<Item> extends SliceContents<Item> {
  readonly #access: SliceAccess<Item>;

  constructor(access: SliceAccess<Item>) {
    super(access.content);
    this.#access = access;
  }

  seed(items: readonly Item[] | Item): void {
    const isList = this.#access.kind === "list" && Array.isArray(items);
    this.#change(InternalEvent.seedSlice, isList ? items : [items]);
  }

  append(...items: readonly Item[]): void {
    if (items.length > 0) this.#change(InternalEvent.appendSlice, items);
  }

  clear(predicate?: (item: Item) => boolean): void {
    const slice = this.#access.name;
    requireFunction("slice.clear", predicate);
    if (!predicate) {
      this.#access.change(InternalEvent.clearSlice, { slice });
      return;
    }
    // A log cannot contain a function, so the event contains the indexes that it selected.
    const removed = this.all().flatMap((item, index) => (predicate(item) ? [index] : []));
    if (removed.length > 0) this.#access.change(InternalEvent.clearSlice, { slice, removed });
  }

  register(event: EventDeclaration, reduce: Registration["reduce"]): void {
    requireEvent("slice.register", event);
    requireCallback("slice.register", reduce);
    this.#access.register({ event, reduce });
  }

  #change(type: string, items: readonly unknown[]): void {
    // `freezeData` checks that the items are JSON.
    this.#access.change(type, { slice: this.#access.name, items: items as readonly JsonValue[] });
  }
}

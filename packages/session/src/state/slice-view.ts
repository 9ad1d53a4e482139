import type { EventDeclaration, PayloadOf } from "../define/define-event.js";
import type { ListReducer } from "../define/define-slice.js";
import type { StateReducer } from "../define/define-state.js";
import type { Registration } from "../define/definition.js";
import type { ItemList } from "../define/item-list.js";
import type { JsonValue } from "../define/json-value.js";
import { OwnEvent, type SliceChange } from "./own-events.js";

/** What can be asked of a slice. Everything it returns is frozen. */
export interface SliceReader<Item> extends Iterable<Item> {
  /** How many items there are. For a state: 0 until it gets a value, then 1. */
  readonly size: number;
  /** The newest item. */
  latest(): Item | undefined;
  /** All items, oldest first. */
  all(): readonly Item[];
  /** The items that pass. */
  where<Narrow extends Item>(predicate: (item: Item) => item is Narrow): readonly Narrow[];
  where(predicate: (item: Item) => boolean): readonly Item[];
  /** The item at `index`, which counts from the end when it is negative. */
  at(index: number): Item | undefined;
}

/** A list in a session. Each change is recorded as an event. */
export interface ListSlice<Item> extends SliceReader<Item> {
  /** Replaces all items. An array is taken as the items, anything else as the one item. */
  seed(items: readonly Item[] | Item): void;
  append(...items: readonly Item[]): void;
  /** Removes the items that pass, or all of them. */
  clear(predicate?: (item: Item) => boolean): void;
  /** Adds a reducer in this session, for events from now on. */
  register<Event extends EventDeclaration>(
    event: Event,
    reduce: ListReducer<Item, PayloadOf<Event>>,
  ): void;
}

/** A single value in a session. Each change is recorded as an event. */
export interface StateSlice<Value> extends SliceReader<Value> {
  /** Sets the value. */
  seed(value: Value): void;
  /** Sets the value, as the newest of one. */
  append(value: Value): void;
  /** Forgets the value, or does so if it passes. `session.state` then answers the initial one. */
  clear(predicate?: (value: Value) => boolean): void;
  /** Adds a reducer in this session, for events from now on. */
  register<Event extends EventDeclaration>(
    event: Event,
    reduce: StateReducer<Value, PayloadOf<Event>>,
  ): void;
}

/** What a view needs of its session. */
export interface SliceAccess<Item> {
  readonly name: string;
  readonly kind: "list" | "value";
  content(): ItemList<Item>;
  change(type: string, payload: SliceChange): void;
  register(registration: Registration): void;
}

/** Both kinds of slice at run time; the token's type decides which one a caller sees. */
export class SliceView<Item> implements SliceReader<Item> {
  readonly #access: SliceAccess<Item>;

  constructor(access: SliceAccess<Item>) {
    this.#access = access;
  }

  get size(): number {
    return this.#access.content().length;
  }

  latest(): Item | undefined {
    return this.#access.content().at(-1);
  }

  all(): readonly Item[] {
    return this.#access.content().toArray();
  }

  where<Narrow extends Item>(predicate: (item: Item) => item is Narrow): readonly Narrow[];
  where(predicate: (item: Item) => boolean): readonly Item[];
  where(predicate: (item: Item) => boolean): readonly Item[] {
    return Object.freeze(this.all().filter((item) => predicate(item)));
  }

  at(index: number): Item | undefined {
    return this.#access.content().at(index);
  }

  [Symbol.iterator](): Iterator<Item> {
    return this.#access.content()[Symbol.iterator]();
  }

  seed(items: readonly Item[] | Item): void {
    const isList = this.#access.kind === "list" && Array.isArray(items);
    this.#change(OwnEvent.seedSlice, isList ? items : [items]);
  }

  append(...items: readonly Item[]): void {
    if (items.length > 0) this.#change(OwnEvent.appendSlice, items);
  }

  clear(predicate?: (item: Item) => boolean): void {
    const slice = this.#access.name;
    if (!predicate) {
      this.#access.change(OwnEvent.clearSlice, { slice });
      return;
    }
    // A function cannot stand in a log, so the event says which items it chose.
    const removed = this.all().flatMap((item, index) => (predicate(item) ? [index] : []));
    if (removed.length > 0) this.#access.change(OwnEvent.clearSlice, { slice, removed });
  }

  register(event: EventDeclaration, reduce: Registration["reduce"]): void {
    this.#access.register({ event, reduce });
  }

  #change(type: string, items: readonly unknown[]): void {
    // Whether they are JSON is found out when the session freezes them.
    this.#access.change(type, { slice: this.#access.name, items: items as readonly JsonValue[] });
  }
}

import { invalid } from "./check-argument.js";
import type { ListReducer } from "./define-slice.js";
import { ItemList } from "./item-list.js";

/** Identifies an item: a property, or a function of the item. */
export type ItemKey<Item> = keyof Item | ((item: Item) => string | number);

type Apply = <Item>(list: ItemList<Item>, item: Item) => ItemList<Item>;

/** How a built-in reducer changes a session's shared list without copying it to an array. */
const applications = new WeakMap<object, Apply>();

/** Appends the payload. */
export const appendAll = builtIn((list, item) => list.append([item]));

/** Replaces the whole list by the payload. */
export const replaceLatest = builtIn((_, item) => ItemList.of([item]));

/** Replaces the item with the same key, or appends the payload if there is none. */
export function upsertBy<Item>(key: ItemKey<Item>): ListReducer<Item, Item> {
  requireKey("upsertBy", key);
  return builtIn((list, item) => {
    const index = list.findIndex(hasKeyOf(item, key));
    return index < 0 ? list.append([item]) : list.with(index, item);
  });
}

/** Removes the items with the same key and appends the payload, so the newest is always last. */
export function replaceLatestBy<Item>(key: ItemKey<Item>): ListReducer<Item, Item> {
  requireKey("replaceLatestBy", key);
  return builtIn((list, item) => {
    const isSame = hasKeyOf(item, key);
    return ItemList.of(list.toArray().filter((each) => !isSame(each))).append([item]);
  });
}

/** How to apply `reducer` to a shared list, if it is a built-in one. */
export function applicationOf(reducer: object): Apply | undefined {
  return applications.get(reducer);
}

function builtIn(apply: Apply): <Item>(items: readonly Item[], payload: Item) => readonly Item[] {
  const reducer = <Item>(items: readonly Item[], payload: Item): readonly Item[] => {
    if (!Array.isArray(items))
      throw invalid("reducer", "pass the list of items, then the payload.");
    return apply(ItemList.of(items), payload).toArray();
  };
  applications.set(reducer, apply);
  return reducer;
}

function requireKey(subject: string, key: unknown): void {
  if (["string", "number", "symbol", "function"].includes(typeof key)) return;
  throw invalid(subject, "pass the name of a property, or a function that returns the key.");
}

function hasKeyOf<Item, Key>(item: Item, key: ItemKey<Key>): (other: Item) => boolean {
  const keyOf = typeof key === "function" ? key : (each: Key) => each[key];
  // The items and `key` belong to the same slice, so the types match.
  const wanted = keyOf(item as unknown as Key);
  return (other) => keyOf(other as unknown as Key) === wanted;
}

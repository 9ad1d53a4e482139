import { ItemList } from "./item-list.js";

/** What identifies an item: a property, or a function of the item. */
export type ItemKey<Item> = keyof Item | ((item: Item) => string | number);

/** A reducer for events whose payload is an item. */
export type ItemReducer<Item> = (items: readonly Item[], payload: Item) => readonly Item[];

type Apply = <Item>(list: ItemList<Item>, item: Item) => ItemList<Item>;

/** What a built-in reducer does to a session's shared list, which an array would have to copy. */
const applications = new WeakMap<object, Apply>();

/** Adds the payload at the end. */
export const appendAll = builtIn((list, item) => list.append([item]));

/** Keeps the payload alone. */
export const replaceLatest = builtIn((_, item) => ItemList.of([item]));

/** Puts the payload in the place of the item with the same key, or at the end when there is none. */
export function upsertBy<Item>(key: ItemKey<Item>): ItemReducer<Item> {
  return builtIn((list, item) => {
    const index = list.findIndex(hasKeyOf(item, key));
    return index < 0 ? list.append([item]) : list.with(index, item);
  });
}

/** Removes the items with the same key and adds the payload at the end: the newest is always last. */
export function replaceLatestBy<Item>(key: ItemKey<Item>): ItemReducer<Item> {
  return builtIn((list, item) => {
    const isSame = hasKeyOf(item, key);
    return ItemList.of(list.toArray().filter((each) => !isSame(each))).append([item]);
  });
}

/** How to apply `reducer` to a shared list, if it is one of those above. */
export function applicationOf(reducer: object): Apply | undefined {
  return applications.get(reducer);
}

function builtIn(apply: Apply): <Item>(items: readonly Item[], payload: Item) => readonly Item[] {
  const reducer = <Item>(items: readonly Item[], payload: Item): readonly Item[] =>
    apply(ItemList.of(items), payload).toArray();
  applications.set(reducer, apply);
  return reducer;
}

function hasKeyOf<Item, Key>(item: Item, key: ItemKey<Key>): (other: Item) => boolean {
  const keyOf = typeof key === "function" ? key : (each: Key) => each[key];
  // A reducer gets items of the slice it is declared for, and `key` is typed by the same slice.
  const wanted = keyOf(item as unknown as Key);
  return (other) => keyOf(other as unknown as Key) === wanted;
}

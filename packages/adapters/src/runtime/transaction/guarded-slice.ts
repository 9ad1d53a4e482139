import type { ListSlice, StateSlice } from "@wink/session";

type AnySlice = ListSlice<unknown> & StateSlice<unknown>;

/** Wraps a slice so that `beforeChange` runs before each change. */
export function guardSlice(slice: ListSlice<unknown>, beforeChange: () => void): AnySlice {
  const guarded: ListSlice<unknown> = {
    get size() {
      return slice.size;
    },
    latest: () => slice.latest(),
    all: () => slice.all(),
    where: (predicate: (item: unknown) => boolean) => slice.where(predicate),
    at: (index) => slice.at(index),
    [Symbol.iterator]: () => slice[Symbol.iterator](),
    seed(items) {
      beforeChange();
      slice.seed(items);
    },
    append(...items) {
      beforeChange();
      slice.append(...items);
    },
    clear(predicate) {
      beforeChange();
      slice.clear(predicate);
    },
    register(event, reduce) {
      beforeChange();
      slice.register(event, reduce);
    },
  };
  // List slices and value slices are one class at run time, so the cast is safe.
  return guarded as AnySlice;
}

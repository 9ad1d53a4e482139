import { FilesystemSnapshots } from "@wink/prompt";
import type { Session, SliceToken } from "@wink/session";
import type { SliceView } from "../model/run-views.js";
import { withoutRoot } from "./omit-contents.js";
import { isState, KNOWN_SLICES, slicesOf } from "./session-slices.js";

type Slices = Readonly<Record<string, Omit<SliceView, "name">>>;

/** Reads the slices of a session that changes. Values that did not change stay the same objects, which makes them cheap to compare. */
export class SliceTracker {
  #known: Slices | undefined;
  #isFirst = true;
  /** Snapshots without their directory. The same object for the same snapshot, so that it counts as unchanged. */
  readonly #snapshots = new WeakMap<object, unknown>();

  /** Returns the slices, or `undefined` if none has changed since the last call. */
  slicesOf(session: Session): Slices | undefined {
    if (this.#known === undefined) {
      const first = slicesOf(session).map(({ name, ...slice }) => [name, slice] as const);
      this.#known = Object.fromEntries(first);
    }
    const changed = KNOWN_SLICES.flatMap((token) => {
      // Every token has items; their types do not matter here.
      const all: readonly unknown[] = session.slice(token as SliceToken<string, unknown>).all();
      const items =
        token === FilesystemSnapshots ? all.map((each) => this.#withoutRoot(each)) : all;
      const value = isState(token.name) ? (items[0] ?? null) : items;
      const before = this.#known?.[token.name]?.value;
      const isEmpty = before === undefined && items.length === 0;
      return isEmpty || isSame(before, value)
        ? []
        : [[token.name, { value, isCut: false, isOld: false }] as const];
    });
    if (changed.length === 0 && !this.#isFirst) return undefined;
    this.#isFirst = false;
    this.#known = { ...this.#known, ...Object.fromEntries(changed) };
    return this.#known;
  }

  #withoutRoot(snapshot: unknown): unknown {
    const key = Object(snapshot) as object;
    const known = this.#snapshots.get(key) ?? withoutRoot(snapshot);
    this.#snapshots.set(key, known);
    return known;
  }
}

/** Compares the items too, because a session may return a new array with the same items. */
function isSame(before: unknown, value: unknown): boolean {
  if (!Array.isArray(before) || !Array.isArray(value)) return before === value;
  return before.length === value.length && before.every((item, at) => item === value[at]);
}

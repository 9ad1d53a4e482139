import { invalid, requireToken } from "../define/check-argument.js";
import type { SliceToken } from "../define/define-slice.js";
import type { StateToken } from "../define/define-state.js";
import { ItemList } from "../define/item-list.js";
import { type Position, startLineage } from "../state/lineage.js";
import type { AnySliceToken } from "../state/reduce-slice.js";
import { asStored, type CapturedSlice } from "../state/slice-store.js";
import { SliceContents, type SliceReader } from "../state/slice-view.js";
import { readStoredSlice } from "../state/stored-slice.js";
import { decodeSnapshot, encodeSnapshot, type SnapshotJson } from "./snapshot-json.js";

/** The parts of a snapshot. Only for this package. */
export interface SnapshotParts {
  readonly id: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly position: Position;
  readonly slices: ReadonlyMap<string, CapturedSlice>;
}

/** Returns the parts of a snapshot, for modules of this package that restore it. */
export let partsOf: (snapshot: SessionSnapshot) => SnapshotParts;

/**
 * The state of a session at one moment. It is immutable and shares its data with the session. `JSON.stringify` gives a
 * form that `Session.fromSnapshot` and `session.restore` accept.
 */
export class SessionSnapshot {
  /** Reads a snapshot from JSON text or from a parsed JSON value. */
  static parse(source: unknown): SessionSnapshot {
    if (source instanceof SessionSnapshot) return source;
    const { sequence, ...decoded } = decodeSnapshot(source);
    return new SessionSnapshot({ ...decoded, position: startLineage({}, sequence) });
  }

  readonly #parts: SnapshotParts;

  /** Use `session.snapshot()` or {@link SessionSnapshot.parse} instead. */
  constructor(parts: object) {
    if (typeof parts !== "object" || parts === null || !("position" in parts))
      throw invalid("SessionSnapshot", "use session.snapshot() or SessionSnapshot.parse().");
    // Only modules of this package have the parts.
    this.#parts = parts as SnapshotParts;
  }

  /** The id of the captured session. */
  get id(): string {
    return this.#parts.id;
  }

  /** The number of the last included event; 0 for none. */
  get sequence(): number {
    return this.#parts.position.sequence;
  }

  /**
   * Reads a slice as it was at that moment. A slice from JSON is read through the migration and schema of `token`.
   * A slice that the session had not installed is empty.
   */
  slice<Item>(token: SliceToken<string, Item> | StateToken<string, Item>): SliceReader<Item> {
    requireToken(token, "slice");
    // The definition of the slice checked its items.
    const content = this.#contentOf(token) as ItemList<Item>;
    return new SliceContents(() => content);
  }

  /** The value of a state at that moment, or its initial value. */
  state<Value>(token: StateToken<string, Value>): Value {
    return this.slice(token).latest() ?? token.initial;
  }

  toJSON(): SnapshotJson {
    const { id, tags, slices } = this.#parts;
    const stored = [...slices].map(([name, slice]) => [name, asStored(slice)] as const);
    return encodeSnapshot({ id, tags, sequence: this.sequence, slices: new Map(stored) });
  }

  #contentOf(token: AnySliceToken): ItemList<unknown> {
    const captured = this.#parts.slices.get(token.name);
    if (captured === undefined) return ItemList.empty();
    const isLive = "token" in captured && captured.token === token;
    return isLive ? captured.content : readStoredSlice(token, asStored(captured));
  }

  static {
    partsOf = (snapshot) => snapshot.#parts;
  }
}

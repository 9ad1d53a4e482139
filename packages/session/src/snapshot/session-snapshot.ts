import { invalid } from "../define/check-argument.js";
import { type Position, startLineage } from "../state/lineage.js";
import { asStored, type CapturedSlice } from "../state/slice-store.js";
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

  toJSON(): SnapshotJson {
    const { id, tags, slices } = this.#parts;
    const stored = [...slices].map(([name, slice]) => [name, asStored(slice)] as const);
    return encodeSnapshot({ id, tags, sequence: this.sequence, slices: new Map(stored) });
  }

  static {
    partsOf = (snapshot) => snapshot.#parts;
  }
}

import { type Position, startLineage } from "../state/lineage.js";
import { asStored, type CapturedSlice } from "../state/slice-store.js";
import { decodeSnapshot, encodeSnapshot, type SnapshotJson } from "./snapshot-json.js";

/** What a snapshot is made of. For this package only. */
export interface SnapshotParts {
  readonly id: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly position: Position;
  readonly slices: ReadonlyMap<string, CapturedSlice>;
}

/** The parts of a snapshot, for the modules of this package that put it in force. */
export let partsOf: (snapshot: SessionSnapshot) => SnapshotParts;

/**
 * A session's state at one moment. It shares everything with the session and
 * never changes. `JSON.stringify` writes it in a form that
 * `Session.fromSnapshot` and `session.restore` read.
 */
export class SessionSnapshot {
  /** Reads a snapshot from JSON text or from what `JSON.parse` made of it. */
  static parse(source: unknown): SessionSnapshot {
    if (source instanceof SessionSnapshot) return source;
    const { sequence, ...decoded } = decodeSnapshot(source);
    return new SessionSnapshot({ ...decoded, position: startLineage({}, sequence) });
  }

  readonly #parts: SnapshotParts;

  /** Snapshots come from `session.snapshot()` and from {@link SessionSnapshot.parse}. */
  constructor(parts: SnapshotParts) {
    this.#parts = parts;
  }

  /** The id of the session it was taken of. */
  get id(): string {
    return this.#parts.id;
  }

  /** The last event that is part of it; 0 for none. */
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

import type { SessionEvent } from "../define/define-event.js";
import type { ItemList } from "../define/item-list.js";
import type { JsonObject } from "../define/json-value.js";
import { freezeData } from "../define/plain-data.js";
import { isSessionError, SessionError } from "../define/session-error.js";
import { partsOf, type SessionSnapshot, type SnapshotParts } from "../snapshot/session-snapshot.js";
import type { RecordedEvent, RecordedTrail } from "../state/event-trail.js";
import { InternalEvent } from "../state/internal-events.js";
import {
  belongsTo,
  branchFrom,
  compareLineages,
  type Position,
  rangesOf,
  startLineage,
} from "../state/lineage.js";
import { type AnySliceToken, type InstalledSlice, reduceSlice } from "../state/reduce-slice.js";
import { SliceStore } from "../state/slice-store.js";
import type { JournalEntry, SessionJournal } from "./journal.js";

export interface CoreOptions {
  readonly clock: () => number;
}

/**
 * The state of a session as a function of its events. Each change is computed, then written to the journal, then
 * committed. A failure before the commit changes nothing.
 */
export class SessionCore {
  readonly store = new SliceStore();
  readonly trail: RecordedTrail;
  journal: SessionJournal | undefined;
  readonly #options: CoreOptions;
  /** Identifies this session in positions, which snapshots keep after the session is gone. */
  readonly #owner = {};
  #head: Position;
  #reducing = false;

  constructor(options: CoreOptions, trail: RecordedTrail, origin?: Position) {
    this.#options = options;
    this.trail = trail;
    this.#head = origin
      ? branchFrom(origin, trail.lastSequence + 1, this.#owner)
      : startLineage(this.#owner, trail.lastSequence);
  }

  get reducing(): boolean {
    return this.#reducing;
  }

  /** The last event that is part of the current state. */
  get sequence(): number {
    return this.#head.sequence;
  }

  /** An independent copy that continues from the current state. */
  clone(): SessionCore {
    const core = new SessionCore(this.#options, this.trail.copy(), this.#head);
    this.store.copyInto(core.store);
    return core;
  }

  record({ type, payload }: SessionEvent, meta?: JsonObject): RecordedEvent {
    const record = this.#stamp(type, payload, meta);
    this.apply(record);
    return record;
  }

  /** Applies an event that already has its number and time. */
  apply(record: RecordedEvent): void {
    const changes = this.#reduce(() => this.store.reduce(record));
    this.#write({ kind: "event", event: record });
    this.store.commit(changes);
    this.#add(record);
  }

  /** Installs `token` with the content it would have if it had been installed from the start. */
  install(token: AnySliceToken): InstalledSlice {
    const installed = this.store.find(token);
    if (installed) return installed;
    const slice = this.store.prepare(token);
    const isLog = token.policy === "log";
    slice.content = this.#fold(slice, slice.content, (event) => isLog || !event.rolledBack);
    this.store.add(slice);
    return slice;
  }

  capture(): Pick<SnapshotParts, "position" | "slices"> {
    return { position: this.#head, slices: this.store.capture() };
  }

  /** Starts from a snapshot, including logs. Only for a session without events. */
  begin(snapshot: SessionSnapshot): void {
    const { slices } = partsOf(snapshot);
    this.store.replace(this.store.plan(slices, (_, base) => base, true));
  }

  /** Restores a snapshot. If it belongs to another session, returns the event that records the load. */
  restore(snapshot: SessionSnapshot, reason: string): RecordedEvent | undefined {
    const { position } = partsOf(snapshot);
    if (!belongsTo(position, this.#head)) return this.#load(snapshot, reason);
    this.returnTo(snapshot, position, reason);
    return undefined;
  }

  /** Commits `snapshot` as the state at `position` of this session. */
  returnTo(snapshot: SessionSnapshot, position: Position, reason: string): void {
    const { slices } = partsOf(snapshot);
    const { sequence } = position;
    const state = this.#reduce(() =>
      this.store.plan(slices, (slice, base) => {
        const ranges = [...rangesOf(position)];
        const leadsThere = (event: RecordedEvent) =>
          ranges.some(({ first, last }) => first <= event.sequence && event.sequence <= last);
        return this.#fold(slice, base, leadsThere, sequence);
      }),
    );
    this.#write({ kind: "restore", sequence, reason, timestampMs: this.#now(), snapshot });
    this.store.replace(state);
    const { onlyOne: undone, onlyOther: redone } = compareLineages(this.#head, position);
    this.trail.mark(undone, Object.freeze({ reason }));
    this.trail.mark(redone, undefined);
    this.#head = branchFrom(position, this.trail.lastSequence + 1, this.#owner);
  }

  /** A position that no event of this session leads to, for a state from another session. */
  foreignPosition(sequence: number): Position {
    return startLineage(this.#owner, sequence);
  }

  #load(snapshot: SessionSnapshot, reason: string): RecordedEvent {
    const payload = { session: snapshot.id, sequence: snapshot.sequence };
    const record = this.#stamp(
      InternalEvent.loadSnapshot,
      freezeData(payload, "snapshot", "payload"),
    );
    this.load(record, snapshot, reason);
    return record;
  }

  /** Loads another session's state, with `record` as its event. */
  load(record: RecordedEvent, snapshot: SessionSnapshot, reason: string): void {
    const { slices } = partsOf(snapshot);
    const state = this.#reduce(() => this.store.plan(slices, (_, base) => base));
    this.#write({ kind: "load", event: record, reason, snapshot });
    this.store.replace(state);
    this.trail.mark([...rangesOf(this.#head)], Object.freeze({ reason }));
    this.#head = startLineage(this.#owner, record.sequence - 1);
    this.#add(record);
  }

  #add(record: RecordedEvent): void {
    this.trail.add(record);
    this.#head = { segment: this.#head.segment, sequence: record.sequence };
  }

  #stamp(type: string, payload: unknown, meta?: JsonObject): RecordedEvent {
    const sequence = this.trail.lastSequence + 1;
    const timestampMs = this.#now();
    const record = { sequence, timestampMs, type, payload };
    return Object.freeze(meta ? { ...record, meta } : record);
  }

  #now(): number {
    const now = this.#options.clock();
    if (Number.isFinite(now)) return now;
    throw new SessionError(
      "ARGUMENT_INVALID",
      "clock",
      "the clock must return a number of milliseconds",
    );
  }

  /** Applies the events in the trail that pass `includes` to `base`, in order. */
  #fold(
    slice: InstalledSlice,
    base: ItemList<unknown>,
    includes: (event: RecordedEvent) => boolean,
    upTo = Number.POSITIVE_INFINITY,
  ): ItemList<unknown> {
    const { name } = slice.token;
    if (this.trail.hasDropped(slice.reducers.keys(), name, upTo))
      throw new SessionError(
        "EVENTS_DROPPED",
        `slice '${name}'`,
        "events that it needs were dropped (maxEvents); install it before the first of them",
      );
    if (this.trail.length === 0) return base;
    return this.#reduce(() => {
      let content = base;
      for (const event of this.trail)
        if (includes(event)) content = reduceSlice(slice, content, event);
      return content;
    });
  }

  #reduce<Result>(work: () => Result): Result {
    const outer = this.#reducing;
    this.#reducing = true;
    try {
      return work();
    } finally {
      this.#reducing = outer;
    }
  }

  #write(entry: JournalEntry): void {
    try {
      this.journal?.write(entry);
    } catch (cause) {
      if (isSessionError(cause)) throw cause;
      throw new SessionError("LOG_FAILED", "journal", undefined, { cause });
    }
  }
}

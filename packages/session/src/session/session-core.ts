import type { SessionEvent } from "../define/define-event.js";
import type { ItemList } from "../define/item-list.js";
import type { JsonObject } from "../define/json-value.js";
import { freezeData } from "../define/plain-data.js";
import { isSessionError, SessionError } from "../define/session-error.js";
import { partsOf, type SessionSnapshot, type SnapshotParts } from "../snapshot/session-snapshot.js";
import type { RecordedEvent, RecordedTrail } from "../state/event-trail.js";
import {
  belongsTo,
  branchFrom,
  compareLineages,
  type Position,
  rangesOf,
  startLineage,
} from "../state/lineage.js";
import { OwnEvent } from "../state/own-events.js";
import { type AnySliceToken, type InstalledSlice, reduceSlice } from "../state/reduce-slice.js";
import { SliceStore } from "../state/slice-store.js";
import type { JournalEntry, SessionJournal } from "./journal.js";

export interface CoreOptions {
  readonly clock: () => number;
}

/**
 * The state of a session as a function of its events. Each change is worked out,
 * then written to the journal, then put in force; a failure before that leaves
 * everything as it was.
 */
export class SessionCore {
  readonly store = new SliceStore();
  readonly trail: RecordedTrail;
  journal: SessionJournal | undefined;
  readonly #options: CoreOptions;
  /** Stands for this session in positions, which outlive it in snapshots. */
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

  /** The last event that the present state comes from. */
  get sequence(): number {
    return this.#head.sequence;
  }

  /** A session of its own that goes on from here. */
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

  /** Applies an event that has its number and time already. */
  apply(record: RecordedEvent): void {
    const changes = this.#reduce(() => this.store.reduce(record));
    this.#write({ kind: "event", event: record });
    this.store.commit(changes);
    this.#add(record);
  }

  /** Installs `token` so that it holds what it would hold had it been there from the start. */
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

  /** Starts from a snapshot, logs included. For a session that has no events yet. */
  begin(snapshot: SessionSnapshot): void {
    const { slices } = partsOf(snapshot);
    this.store.replace(this.store.plan(slices, (_, base) => base, true));
  }

  /** Goes back to a snapshot. Returns the event that records it when it is of another session. */
  restore(snapshot: SessionSnapshot, reason: string): RecordedEvent | undefined {
    const { position } = partsOf(snapshot);
    if (!belongsTo(position, this.#head)) return this.#load(snapshot, reason);
    this.returnTo(snapshot, position, reason);
    return undefined;
  }

  /** Puts `snapshot` in force as the state at `position` of this session. */
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

  /** A point that no event of this session leads to, for a state that comes from elsewhere. */
  foreignPosition(sequence: number): Position {
    return startLineage(this.#owner, sequence);
  }

  #load(snapshot: SessionSnapshot, reason: string): RecordedEvent {
    const payload = { session: snapshot.id, sequence: snapshot.sequence };
    const record = this.#stamp(OwnEvent.loadSnapshot, freezeData(payload, "snapshot", "payload"));
    this.load(record, snapshot, reason);
    return record;
  }

  /** Takes over another session's state, as `record` says. */
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
    throw new SessionError("argument_invalid", {
      subject: "clock",
      reason: "the clock must answer with a number of milliseconds",
    });
  }

  /** What the held events make of `base`, those that pass and in their order. */
  #fold(
    slice: InstalledSlice,
    base: ItemList<unknown>,
    includes: (event: RecordedEvent) => boolean,
    upTo = Number.POSITIVE_INFINITY,
  ): ItemList<unknown> {
    const { name } = slice.token;
    if (this.trail.hasDropped(slice.reducers.keys(), name, upTo))
      throw new SessionError("events_dropped", {
        subject: `slice '${name}'`,
        reason: "events that it must see were let go; install it before the first of them",
      });
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
      throw new SessionError("log_failed", { subject: "journal", cause });
    }
  }
}

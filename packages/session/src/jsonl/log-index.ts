import { SessionError } from "../define/session-error.js";
import type { Session } from "../session/session.js";
import type { SessionSnapshot } from "../snapshot/session-snapshot.js";
import type { RecordedEvent } from "../state/event-trail.js";
import { decodeRecord, invalidLine, type LogRecord } from "./log-record.js";
import { Replayer, type ReplayOptions } from "./replayer.js";

/** The number of records between two keyframes. */
const KEYFRAME_RECORDS = 256;
/** A restore in new lines returns at most this many events back. Otherwise the log is indexed again. */
const RECENT_EVENTS = 4_096;

interface Keyframe {
  readonly state: SessionSnapshot;
  readonly lastSequence: number;
  /** How many records led to it. */
  readonly recordCount: number;
}

/**
 * The lines of a log, replayed once. The state after any event is then at most 256 records away from a saved state.
 *
 * Lines can be added while the log grows. It reads no file, so it also works on lines from a store.
 */
export class LogIndex {
  readonly #options: ReplayOptions;
  #records: LogRecord[] = [];
  /** How many records lead to each event. The index is the event's number minus the first event's number. */
  #positions: number[] = [];
  #firstSequence = 0;
  #keyframes: Keyframe[] = [];
  #targets = new Set<number>();
  #snapshots = new Map<number, SessionSnapshot>();
  #replayer: Replayer;

  constructor(options: ReplayOptions = {}) {
    this.#options = options;
    this.#replayer = this.#createReplayer();
  }

  /** The number of the last event. */
  get lastSequence(): number {
    return this.#replayer.session?.events.lastSequence ?? 0;
  }

  /** All events, with the marks that later rollbacks set. */
  get events(): readonly RecordedEvent[] {
    return this.#replayer.session?.events.toArray() ?? [];
  }

  /** How many records the log has. */
  get recordCount(): number {
    return this.#records.length;
  }

  /** Adds the next lines, without their newlines. Throws `LOG_INVALID`. */
  add(lines: readonly string[]): void {
    const before = this.#records;
    const added = lines.map((line, at) => decodeRecord(line, before.length + at + 1));
    if (this.#findTargets(added)) for (const record of added) this.#apply(record);
    else {
      this.#startAgain();
      for (const record of [...before, ...added]) this.#apply(record);
    }
  }

  /**
   * The session after one event. It is a copy, and its own trail starts at a saved state: read events from `events`.
   * Throws `EVENT_UNKNOWN`.
   */
  sessionAt(sequence: number): Session {
    const recordCount = this.#recordCountAt(sequence);
    const at = this.#keyframes.findLastIndex((each) => each.recordCount <= recordCount);
    const keyframe = this.#keyframes[at];
    if (keyframe === undefined) throw invalidLine(1, "the log has no start record");
    const replayer = this.#createReplayer();
    replayer.resume(keyframe.state, keyframe.lastSequence, keyframe.recordCount);
    for (const record of this.#records.slice(keyframe.recordCount, recordCount))
      replayer.apply(record);
    // `resume` has created it.
    return replayer.session as Session;
  }

  /**
   * The session after each event, from the first to the last, in one pass. It is one session that changes: read it
   * before the next step.
   */
  *sessions(): Generator<{ readonly sequence: number; readonly session: Session }> {
    const replayer = this.#createReplayer();
    for (const [at, record] of this.#records.entries()) {
      replayer.apply(record);
      // The first record has created it.
      const session = replayer.session as Session;
      const sequence = session.events.lastSequence;
      if (this.#positions[sequence - this.#firstSequence] === at + 1) yield { sequence, session };
    }
  }

  #recordCountAt(sequence: number): number {
    const isNumber = typeof sequence === "number";
    const found = isNumber ? this.#positions[sequence - this.#firstSequence] : undefined;
    if (found !== undefined) return found;
    throw new SessionError(
      "EVENT_UNKNOWN",
      `event ${String(sequence)}`,
      `the log has the events ${this.#firstSequence} to ${this.lastSequence}`,
    );
  }

  /** Returns whether the states that new records return to are known. */
  #findTargets(added: readonly LogRecord[]): boolean {
    let isKnown = true;
    const [first, last] = [this.#records.length === 0, this.lastSequence];
    for (const record of added) {
      if (record.kind !== "restore" || record.state !== undefined) continue;
      const { sequence } = record;
      if (!first && sequence <= last && !this.#snapshots.has(sequence)) isKnown = false;
      this.#targets.add(sequence);
    }
    return isKnown;
  }

  #startAgain(): void {
    this.#records = [];
    this.#positions = [];
    this.#keyframes = [];
    this.#snapshots = new Map();
    this.#replayer = this.#createReplayer();
  }

  #apply(record: LogRecord): void {
    this.#replayer.apply(record);
    const session = this.#replayer.session as Session;
    const recordCount = this.#records.push(record);
    const { lastSequence } = session.events;
    if (record.kind === "start") this.#firstSequence = lastSequence;
    this.#positions[lastSequence - this.#firstSequence] ??= recordCount;
    if (recordCount === 1 || recordCount % KEYFRAME_RECORDS === 0)
      this.#keyframes.push({ state: session.snapshot(), lastSequence, recordCount });
    this.#remember(session);
  }

  /** Keeps the states of recent events, because the next lines may return to them. */
  #remember(session: Session): void {
    const { sequence } = session;
    if (!this.#snapshots.has(sequence)) this.#snapshots.set(sequence, session.snapshot());
    const old = sequence - RECENT_EVENTS;
    if (!this.#targets.has(old)) this.#snapshots.delete(old);
  }

  #createReplayer(): Replayer {
    return new Replayer(this.#options, this.#targets, this.#snapshots);
  }
}

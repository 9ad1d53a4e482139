import { requireCallback, requireIndex } from "../define/check-argument.js";
import type { EventDeclaration, PayloadOf, SessionEvent } from "../define/define-event.js";
import type { JsonObject } from "../define/json-value.js";
import { InternalEvent, isInternalEventType, isSliceChange } from "./internal-events.js";
import type { SequenceRange } from "./lineage.js";

/** An event as the session recorded it. */
export interface RecordedEvent<Type extends string = string, Payload = unknown>
  extends SessionEvent<Type, Payload> {
  /** 1, 2, 3, … in the order of dispatch. Never reused, not even after a restore. */
  readonly sequence: number;
  /** The time of the session's clock. */
  readonly timestampMs: number;
  /** The `meta` of `dispatch`. */
  readonly meta?: JsonObject;
  /** Present when a restore rolled the event back. */
  readonly rolledBack?: { readonly reason: string };
}

/** All events of a session, oldest first, including rolled back ones. */
export interface EventTrail extends Iterable<RecordedEvent> {
  /** The number of events in the trail. */
  readonly length: number;
  /** How many of the oldest events were dropped because of `maxEvents`. */
  readonly dropped: number;
  /** The number of the newest event, even if it was dropped; 0 before the first. */
  readonly lastSequence: number;
  /** The event at `index`. A negative index counts from the end. */
  at(index: number): RecordedEvent | undefined;
  /** The events of one type, with their payloads typed. */
  of<Event extends EventDeclaration>(
    event: Event,
  ): readonly RecordedEvent<Event["type"], PayloadOf<Event>>[];
  filter(predicate: (event: RecordedEvent) => boolean): readonly RecordedEvent[];
  map<Result>(transform: (event: RecordedEvent) => Result): readonly Result[];
  toArray(): readonly RecordedEvent[];
}

/** The writable trail of a session. */
export class RecordedTrail implements EventTrail {
  readonly #maxEvents: number;
  #records: RecordedEvent[] = [];
  /** The index of the first record that was not dropped. The array is compacted only when half of it is dropped. */
  #start = 0;
  /** The topics of dropped events (an event type or a slice), with the number of the first. */
  #droppedTopics = new Map<string, number>();
  dropped = 0;
  lastSequence: number;

  constructor(options: { readonly maxEvents: number; readonly lastSequence: number }) {
    this.#maxEvents = options.maxEvents;
    this.lastSequence = options.lastSequence;
  }

  get length(): number {
    return this.#records.length - this.#start;
  }

  at(index: number): RecordedEvent | undefined {
    requireIndex("events.at", index);
    const position = index < 0 ? this.length + index : index;
    return position >= 0 ? this.#records[this.#start + position] : undefined;
  }

  of<Event extends EventDeclaration>(
    event: Event,
  ): readonly RecordedEvent<Event["type"], PayloadOf<Event>>[] {
    // The payload was checked by the schema of its type on dispatch.
    return this.filter((record) => record.type === event.type) as readonly RecordedEvent<
      Event["type"],
      PayloadOf<Event>
    >[];
  }

  filter(predicate: (event: RecordedEvent) => boolean): readonly RecordedEvent[] {
    requireCallback("events.filter", predicate);
    return this.toArray().filter(predicate);
  }

  map<Result>(transform: (event: RecordedEvent) => Result): readonly Result[] {
    requireCallback("events.map", transform);
    return this.toArray().map(transform);
  }

  toArray(): readonly RecordedEvent[] {
    return this.#records.slice(this.#start);
  }

  [Symbol.iterator](): Iterator<RecordedEvent> {
    return this.toArray()[Symbol.iterator]();
  }

  add(record: RecordedEvent): void {
    this.#records.push(record);
    this.lastSequence = record.sequence;
    if (this.length > this.#maxEvents) this.#dropOldest();
  }

  /** Whether an event up to `last` that concerns `slice`, or has one of `types`, was dropped. */
  hasDropped(types: Iterable<string>, slice: string, last: number): boolean {
    if (this.dropped === 0) return false;
    return [...types, sliceTopic(slice), InternalEvent.resetSession].some((topic) => {
      const first = this.#droppedTopics.get(topic);
      return first !== undefined && first <= last;
    });
  }

  /** Marks the events of `ranges` as rolled back. Removes the mark if `rolledBack` is `undefined`. */
  mark(ranges: readonly SequenceRange[], rolledBack: RecordedEvent["rolledBack"]): void {
    for (const { first, last } of ranges) {
      const from = Math.max(this.#indexOf(first), this.#start);
      const to = Math.min(this.#indexOf(last), this.#records.length - 1);
      for (let index = from; index <= to; index++) {
        // Both ends are in the trail, and the records between them have no gaps.
        const { rolledBack: _, ...record } = this.#records[index] as RecordedEvent;
        this.#records[index] = Object.freeze(rolledBack ? { ...record, rolledBack } : record);
      }
    }
  }

  copy(): RecordedTrail {
    const copied = new RecordedTrail({
      maxEvents: this.#maxEvents,
      lastSequence: this.lastSequence,
    });
    copied.#records = this.#records.slice(this.#start);
    copied.#droppedTopics = new Map(this.#droppedTopics);
    copied.dropped = this.dropped;
    return copied;
  }

  /** Sequence numbers have no gaps, so the index follows from the number. */
  #indexOf(sequence: number): number {
    return this.#records.length - 1 - (this.lastSequence - sequence);
  }

  #noteDropped(topic: string, sequence: number): void {
    if (!this.#droppedTopics.has(topic)) this.#droppedTopics.set(topic, sequence);
  }

  #dropOldest(): void {
    const oldest = this.#records[this.#start];
    if (oldest) this.#noteDropped(topicOf(oldest), oldest.sequence);
    this.#start++;
    this.dropped++;
    if (this.#start * 2 <= this.#records.length) return;
    this.#records = this.#records.slice(this.#start);
    this.#start = 0;
  }
}

function topicOf({ type, payload }: RecordedEvent): string {
  return isInternalEventType(type) && isSliceChange(payload) ? sliceTopic(payload.slice) : type;
}

function sliceTopic(name: string): string {
  return `slice ${name}`;
}

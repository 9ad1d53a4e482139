import type { ParkReason } from "@wink/prompt";
import type { JsonValue, Session } from "@wink/session";
import { AdapterError } from "../error/adapter-error.js";
import { invalid, requireOptions } from "../runtime/context/require-options.js";
import type { Parking } from "../runtime/transaction/call-resource.js";
import type { TranscriptRecords } from "../transcript/read-transcript.js";
import type { TranscriptWriter } from "../transcript/transcript-writer.js";

/** Something that a run waits for, or waited for. */
export interface RunPark extends ParkReason {
  /** For `run.answer`. */
  readonly id: string;
  /** When the wait began, in milliseconds since 1970. */
  readonly since: number;
  /** Whether it has its answer, or its time has come. */
  readonly isAnswered: boolean;
}

interface Park {
  readonly id: string;
  readonly since: number;
  readonly reason: ParkReason;
}

/** The records of a transcript about what a run waits for. */
class ParkRecords {
  readonly byKey = new Map<string, Park>();
  readonly answers = new Map<string, JsonValue>();

  constructor(records: TranscriptRecords) {
    // RunParking wrote these parts.
    for (const record of records.records)
      if (record.kind === "park") {
        const reason = records.part(record.reason) as ParkReason;
        this.byKey.set(record.key, { id: record.park, since: record.at, reason });
      } else if (record.kind === "answer")
        this.answers.set(record.park, records.part(record.value) as JsonValue);
  }

  get parks(): readonly RunPark[] {
    return [...this.byKey.values()].map((park) => ({
      ...park.reason,
      ...{ id: park.id, since: park.since },
      isAnswered: this.valueOf(park) !== undefined,
    }));
  }

  valueOf({ id, reason }: Park): { readonly value: JsonValue } | undefined {
    const value = this.answers.get(id);
    if (value !== undefined) return { value };
    const isOver = reason.until !== undefined && reason.until <= Date.now();
    return isOver ? { value: null } : undefined;
  }
}

/**
 * Whether the run cannot continue before a wait is answered. A call that waits for a subagent is made again instead, and
 * finds out whether the subagent is done.
 */
export function isAnswerable({ kind, isAnswered }: RunPark): boolean {
  return !isAnswered && kind !== "subagent";
}

/** What a run waits for, and what it waited for. */
export function parksOf(records: TranscriptRecords): readonly RunPark[] {
  return new ParkRecords(records).parks;
}

/** What a run and its subagents wait for. It is stored in the transcript of the run. */
export class RunParking implements Parking {
  readonly #session: Session;
  readonly #writer: TranscriptWriter;
  readonly #records: ParkRecords;

  constructor(session: Session, writer: TranscriptWriter, earlier: TranscriptRecords) {
    this.#session = session;
    this.#writer = writer;
    this.#records = new ParkRecords(earlier);
  }

  get parks(): readonly RunPark[] {
    return this.#records.parks;
  }

  get isParked(): boolean {
    return this.parks.some(isAnswerable);
  }

  answerOf(key: string): { readonly value: JsonValue } | undefined {
    const park = this.#records.byKey.get(key);
    return park && this.#records.valueOf(park);
  }

  /** Whether a call waits for something. @param call its idempotency key */
  isWaiting(call: string): boolean {
    return [...this.#records.byKey].some(
      ([key, park]) => key.startsWith(`${call}#`) && !this.#records.answers.has(park.id),
    );
  }

  park(key: string, reason: ParkReason): void {
    requireOptions("park", reason, ["kind", "text", "until", "data"]);
    if (typeof reason.kind !== "string" || typeof reason.text !== "string")
      throw invalid("park", "a reason needs kind and text, which are strings.");
    if (this.#records.byKey.has(key)) return;
    const { kind, text, until, data } = reason;
    const stored = {
      ...{ kind, text },
      ...(until !== undefined && { until }),
      ...(data !== undefined && { data }),
    };
    const id = String(this.#records.byKey.size + 1);
    const now = this.#now();
    const part = this.#writer.part(stored);
    this.#writer.write({ kind: "park", ...now, park: id, key, reason: part });
    this.#records.byKey.set(key, { id, since: now.at, reason: stored });
  }

  settle(key: string): void {
    const park = this.#records.byKey.get(key);
    if (park !== undefined && !this.#records.answers.has(park.id)) this.#store(park.id, null);
  }

  /** Waits for something that no call waits for. */
  parkRun(reason: ParkReason): void {
    this.park(`run#${this.#records.byKey.size + 1}`, reason);
  }

  /** Throws `ARGUMENT_INVALID` if the run does not wait for `id`. */
  answer(id: string, value: JsonValue): void {
    const open = this.parks.filter(isAnswerable);
    if (!open.some((each) => each.id === id)) throw notWaiting(id, open);
    this.#store(id, value);
  }

  #store(id: string, value: JsonValue): void {
    const part = this.#writer.part(value);
    this.#writer.write({ kind: "answer", ...this.#now(), park: id, value: part });
    this.#records.answers.set(id, value);
  }

  #now() {
    return { run: 0, sequence: this.#session.events.lastSequence, at: Date.now() };
  }
}

function notWaiting(id: string, open: readonly RunPark[]): AdapterError {
  const ids = open.map((each) => each.id).join(", ");
  const reason =
    open.length === 0
      ? "it waits for nothing"
      : `it does not wait for '${String(id).slice(0, 80)}'. It waits for: ${ids}`;
  return new AdapterError("ARGUMENT_INVALID", { subject: "run", reason });
}

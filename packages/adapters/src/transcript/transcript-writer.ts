import { partId, type Redact, redacted } from "./transcript-parts.js";
import {
  type PartId,
  TRANSCRIPT_FORMAT,
  TRANSCRIPT_VERSION,
  type TranscriptEntry,
} from "./transcript-record.js";

/** Where the lines of a transcript go. */
export interface TranscriptTarget {
  /** Appends complete lines, each with its newline, in one step. */
  append(lines: string): void;
}

export interface TranscriptWriterOptions {
  /** The parts that the target has already. @default none */
  readonly known?: Iterable<PartId> | undefined;
  /** Whether the target is empty. @default true */
  readonly isNew?: boolean | undefined;
  /** Replaces texts before they are stored. @default texts are stored unchanged */
  readonly redact?: Redact | undefined;
}

/** Writes a transcript. Each part is written once, before the first record that refers to it. */
export class TranscriptWriter {
  readonly #target: TranscriptTarget;
  readonly #known: Set<PartId>;
  readonly #redact: Redact | undefined;
  /** Lines that wait for the next record, so that a record and its parts are one write. */
  #pending = "";

  constructor(target: TranscriptTarget, options: TranscriptWriterOptions = {}) {
    const { known = [], isNew = true, redact } = options;
    this.#target = target;
    this.#known = new Set(known);
    this.#redact = redact;
    if (isNew) this.#add({ kind: "start", format: TRANSCRIPT_FORMAT, version: TRANSCRIPT_VERSION });
  }

  /** Adds a part if it is new. It is written with the next record. */
  part(value: unknown): PartId {
    const kept = this.#redact === undefined ? value : redacted(value, this.#redact);
    // `undefined` is not JSON.
    const json = JSON.stringify(kept) ?? "null";
    const id = partId(json);
    if (this.#known.has(id)) return id;
    this.#known.add(id);
    this.#pending += `{"kind":"part","id":"${id}","value":${json}}\n`;
    return id;
  }

  /** Writes a record with its new parts. */
  write(record: TranscriptEntry): void {
    this.#add(record);
    const lines = this.#pending;
    this.#target.append(lines);
    this.#pending = "";
  }

  #add(record: object): void {
    this.#pending += `${JSON.stringify(record)}\n`;
  }
}

import type { Spending } from "@wink/prompt";
import { SessionLog, type SessionLogOptions } from "@wink/session/jsonl";
import { TranscriptRecords } from "../transcript/read-transcript.js";
import { TranscriptLines } from "../transcript/transcript-lines.js";
import { parseHeader, type RunHeader } from "./run-header.js";
import { childNames, linesOf } from "./run-lines.js";
import type { OpenedTranscript, PlaceOptions, RunLog, RunPlace } from "./run-place.js";
import { spentInStore } from "./spent-of.js";
import type { StoreHead } from "./store-head.js";
import { StoreStates } from "./store-states.js";

/** A run, or the run of a subagent, in the head of a store. */
export class StorePlace implements RunPlace {
  readonly #head: StoreHead;
  /** The path of a subagent's run; empty for the run itself. */
  readonly #path: string;

  constructor(head: StoreHead, path = "") {
    this.#head = head;
    this.#path = path;
  }

  readHeader(): RunHeader | undefined {
    const json = this.#head.headers.get(this.#path);
    return json === undefined ? undefined : parseHeader(json);
  }

  writeHeader(header: RunHeader): void {
    this.#head.writeHeader(this.#path, JSON.stringify(header));
  }

  openLog(options: SessionLogOptions): Promise<RunLog> {
    const { fsync: _, ...rest } = options;
    const decoder = new TextDecoder();
    const { events: lines } = linesOf(this.#head.lines, this.#path);
    const append = (bytes: Uint8Array) =>
      this.#head.append(this.#path, "events", decoder.decode(bytes));
    return SessionLog.open({ lines: [...lines], append }, rest);
  }

  openTranscript({ redact, onStart }: PlaceOptions): OpenedTranscript {
    const append = (lines: string) => this.#head.append(this.#path, "transcript", lines);
    const { transcript: lines } = linesOf(this.#head.lines, this.#path);
    return new TranscriptLines(lines, { redact, onStart, append });
  }

  readTranscript(): TranscriptRecords {
    const records = new TranscriptRecords();
    records.add(linesOf(this.#head.lines, this.#path).transcript);
    return records;
  }

  /** The header's `store`: the states are in the head. */
  storeName(): string {
    return ".";
  }

  openStates(): StoreStates {
    return new StoreStates(this.#head.files.states, this.#head.files);
  }

  child(name: string): StorePlace {
    return new StorePlace(this.#head, this.#path === "" ? name : `${this.#path}/${name}`);
  }

  async childNames(): Promise<readonly string[]> {
    return childNames(this.#head.headers.keys(), this.#path);
  }

  spentBy(id: string): Promise<Spending> {
    return spentInStore(this.#head.source.store, id);
  }

  /** A subagent's states are in the same head. */
  childStore(store: string): string {
    return store;
  }
}

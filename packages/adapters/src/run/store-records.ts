import { StoredStates } from "@wink/filesystem/internal";
import type { Head } from "@wink/store";
import { parseHeader, type RunHeader } from "./run-header.js";
import { addLines, childNames, linesOf, type RunLines } from "./run-lines.js";
import type { RunRecords } from "./run-place.js";
import { lostRun, readHeaders, type StoredRunSource } from "./store-head.js";
import { StoreStates } from "./store-states.js";

/** The part of a head that was read so far. The readers of a run and of its subagents share it. */
class ReadHead {
  readonly source: StoredRunSource;
  readonly lines = new Map<string, RunLines>();
  readonly states: StoredStates;
  headers: ReadonlyMap<string, string> = new Map();
  #events = 0;
  #transcript = 0;

  constructor(source: StoredRunSource, head: Head) {
    this.source = source;
    this.states = StoredStates.ofHead(head);
  }

  /** Reads what was committed since the last time. */
  async refresh(): Promise<void> {
    const { store, id } = this.source;
    const head = await store.read(id);
    if (head === undefined) throw lostRun(id);
    this.headers = await readHeaders(head);
    for await (const records of head.records("transcript", { after: this.#transcript })) {
      addLines(this.lines, "transcript", records);
      this.#transcript += records.length;
    }
    for await (const records of head.records("events", { after: this.#events })) {
      addLines(this.lines, "events", records);
      this.#events += records.length;
    }
    await this.states.load(head);
  }
}

/** Reads a run in a store, also while another process writes it. */
export class StoreRecords implements RunRecords {
  readonly #head: ReadHead;
  readonly #path: string;
  #events = 0;
  #transcript = 0;

  private constructor(head: ReadHead, path: string) {
    this.#head = head;
    this.#path = path;
  }

  static async open(source: StoredRunSource): Promise<StoreRecords> {
    const head = await source.store.read(source.id);
    if (head === undefined) throw lostRun(source.id);
    const read = new ReadHead(source, head);
    await read.refresh();
    return new StoreRecords(read, "");
  }

  async readHeader(): Promise<RunHeader | undefined> {
    const json = this.#head.headers.get(this.#path);
    return json === undefined ? undefined : parseHeader(json);
  }

  async newTranscript(): Promise<readonly string[]> {
    await this.#head.refresh();
    const added = this.#lines.transcript.slice(this.#transcript);
    this.#transcript += added.length;
    return added;
  }

  /** The events of the version that `newTranscript` has read, so that both fit together. */
  async newEvents(): Promise<readonly string[]> {
    const added = this.#lines.events.slice(this.#events);
    this.#events += added.length;
    return added;
  }

  openStates(): StoreStates {
    return new StoreStates(this.#head.states);
  }

  async children(): Promise<readonly string[]> {
    const names: string[] = [];
    for (const name of childNames(this.#head.headers.keys(), this.#path)) {
      const queued = this.#queued(name);
      // No worker may have begun the run of a queued subagent.
      if (queued === undefined || (await queued.store.read(queued.id))?.counts.events)
        names.push(name);
    }
    return names;
  }

  child(name: string): StoreRecords | Promise<StoreRecords> {
    const queued = this.#queued(name);
    return queued ? StoreRecords.open(queued) : new StoreRecords(this.#head, this.#pathOf(name));
  }

  /** Where the run of a queued subagent is. `undefined` if the subagent is not queued. */
  #queued(name: string): StoredRunSource | undefined {
    const header = parseHeader(this.#head.headers.get(this.#pathOf(name)) ?? "");
    return header.queued ? { store: this.#head.source.store, id: header.id } : undefined;
  }

  #pathOf(name: string): string {
    return this.#path === "" ? name : `${this.#path}/${name}`;
  }

  get #lines(): RunLines {
    return linesOf(this.#head.lines, this.#path);
  }
}

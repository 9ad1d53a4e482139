import type { ChangeSet, TreeEntry } from "@wink/filesystem";
import type { RecordedEvent, Session } from "@wink/session";
import { LogIndex, type ReplayOptions } from "@wink/session/jsonl";
import { AdapterError } from "../error/adapter-error.js";
import { invalid } from "../runtime/context/require-options.js";
import type { ModelMessage, ModelRequest } from "../runtime/loop/model-client.js";
import {
  Conversations,
  requestOf,
  type ShownSection,
  sectionsOf,
} from "../transcript/conversation.js";
import { TranscriptRecords } from "../transcript/read-transcript.js";
import type { Redact } from "../transcript/transcript-parts.js";
import type { ModelAsked, TranscriptEntry } from "../transcript/transcript-record.js";
import { type BudgetAt, budgetAt } from "./budget-at.js";
import { FileStates } from "./file-states.js";
import { parksOf, type RunPark } from "./parking.js";
import type { RunHeader } from "./run-header.js";
import type { RunRecords } from "./run-place.js";
import { type RunCall, type RunTurn, TurnList } from "./run-turns.js";

export interface ReadRunOptions extends Pick<ReplayOptions, "slices"> {
  /** Replaces texts of prompts, messages and tools. Files and events stay as they are. @default no redaction */
  readonly redact?: Redact | undefined;
}

/** The prompt of a request. */
export interface PromptAt {
  readonly text: string;
  readonly sections: readonly ShownSection[];
  readonly tools: ModelRequest["tools"];
}

/** A subagent's run. */
export interface ChildRun {
  /** The number of the start event of the call that started it. */
  readonly sequence: number;
  /** The name among the children: `sequence`, with `-2` for the second subagent of a call. */
  readonly name: string;
  open(): Promise<RunReader>;
}

/** Everything that is stored about a run, at any of its events. It locks and changes nothing. */
export class RunReader implements Disposable {
  readonly #records: RunRecords;
  readonly #options: ReadRunOptions;
  readonly #header: RunHeader | undefined;
  readonly #index: LogIndex;
  readonly #transcript: TranscriptRecords;
  readonly #conversations = new Conversations();
  readonly #states: FileStates;
  #turns: TurnList | undefined;
  #entryCount = 0;
  #onClose: () => void = () => {};

  private constructor(records: RunRecords, options: ReadRunOptions, header: RunHeader | undefined) {
    if (typeof records?.newEvents !== "function") throw invalid("RunReader", "use readRun().");
    this.#records = records;
    this.#options = options;
    this.#header = header;
    const { slices, redact } = options;
    this.#index = new LogIndex(slices === undefined ? {} : { slices });
    this.#transcript = new TranscriptRecords(redact);
    this.#states = new FileStates(header && records.openStates(header));
  }

  /** `undefined` for a log without a run, and for a run of an earlier version. */
  get header(): RunHeader | undefined {
    return this.#header;
  }

  /** The number of the last event. */
  get lastSequence(): number {
    return this.#index.lastSequence;
  }

  /** All events, with the marks that later rollbacks set. */
  get events(): readonly RecordedEvent[] {
    return this.#index.events;
  }

  /** The records of the transcript, in their order. Read parts with `part`. */
  get transcript(): readonly TranscriptEntry[] {
    return this.#transcript.records;
  }

  /** The turns of all evaluations, with their requests, answers and calls. */
  get turns(): readonly RunTurn[] {
    return this.#turnList.turns;
  }

  /** All tool calls of the log, with what the transcript says about them. */
  get calls(): readonly RunCall[] {
    return this.#turnList.calls;
  }

  /** What the run waits for, and what it waited for. */
  get parks(): readonly RunPark[] {
    return parksOf(this.#transcript);
  }

  /** Reads new events and records. Resolves to whether there were any. */
  async refresh(): Promise<boolean> {
    // The transcript first: then the log has every event that a record names.
    const entries = await this.#records.newTranscript();
    const events = await this.#records.newEvents();
    this.#index.add(events);
    this.#transcript.add(entries);
    for (const record of this.#transcript.records.slice(this.#entryCount))
      if (record.kind === "ask") this.#conversations.add(record);
    this.#entryCount = this.#transcript.records.length;
    this.#states.add(this.#index.events);
    this.#turns = undefined;
    return events.length + entries.length > 0;
  }

  /** Whether the transcript has a part with this id. */
  hasPart(id: string): boolean {
    return this.#transcript.has(id);
  }

  /** The value of a part of the transcript. */
  part(id: string): unknown {
    return this.#transcript.part(id);
  }

  /**
   * The session after an event. It has the slices of the options. It is a copy, and its list of events does not start
   * at the first event.
   */
  sessionAt(sequence: number): Session {
    return this.#index.sessionAt(sequence);
  }

  /**
   * The files after an event: each path with its content, read on demand. A change becomes visible with the end event
   * of its call. Throws `STATE_MISSING` if the run stored no states.
   */
  filesAt(sequence: number): Iterable<TreeEntry> {
    return this.#states.entries(this.#states.at(sequence));
  }

  /** One node after an event with everything below it, or nothing if the path does not exist. */
  filesBelow(sequence: number, path: string): Iterable<TreeEntry> {
    return this.#states.entriesAt(this.#states.at(sequence), path);
  }

  /** The files before the rollback that an event reports, or `undefined` if the event reports no rollback of files. */
  undoneFiles(sequence: number): Iterable<TreeEntry> | undefined {
    const undone = this.#states.undoneBy(sequence);
    return undone === undefined ? undefined : this.#states.entries(undone);
  }

  /** The session after each event, in one pass. It is one session that changes: read it before the next step. */
  sessions(): Iterable<{ readonly sequence: number; readonly session: Session }> {
    return this.#index.sessions();
  }

  /** The content of one file after an event, or `undefined` if the file does not exist. */
  async fileAt(sequence: number, path: string): Promise<Uint8Array | undefined> {
    return await this.#states.file(this.#states.at(sequence), path);
  }

  /** The id of the files' state after an event. Equal ids mean equal files. */
  stateAt(sequence: number): string {
    return this.#states.at(sequence);
  }

  /** The changes of the files between two events. Use event 0 for the start of the run. */
  diff(from: number, to: number): Promise<ChangeSet> {
    return this.#states.diff(this.#states.at(from), this.#states.at(to));
  }

  /**
   * What a call had changed when it was rolled back. `undefined` if the event is not the end of such a call, or if the
   * call had changed no files.
   */
  async undoneBy(sequence: number): Promise<ChangeSet | undefined> {
    const undone = this.#states.undoneBy(sequence);
    if (undone === undefined) return undefined;
    return await this.#states.diff(this.#states.at(sequence), undone);
  }

  /** The prompt that the model was last shown at that event, by section. */
  promptAt(sequence: number): PromptAt | undefined {
    const ask = this.#askAt(sequence);
    if (ask === undefined) return undefined;
    const sections = sectionsOf(this.#transcript, ask);
    const { tools } = requestOf(this.#transcript, this.#conversations, ask);
    return { text: sections.map(({ text }) => text).join(""), sections, tools };
  }

  /** The conversation at that event: the messages of the last request, the answer to it, and the answers of tools. */
  messagesAt(sequence: number): readonly ModelMessage[] {
    const ask = this.#askAt(sequence);
    if (ask === undefined) return [];
    const messages = this.#conversations.messageIds(ask).map((id) => this.#transcript.part(id));
    const later = this.#transcript.records.filter(
      (record) =>
        record.run === ask.run &&
        record.sequence <= sequence &&
        (record.kind === "turn" || record.kind === "outcome") &&
        record.turn === ask.turn,
    );
    const added = later.map((record) =>
      "message" in record ? this.#transcript.part(record.message) : [],
    );
    // The recorder wrote these parts.
    return [...messages, ...added] as readonly ModelMessage[];
  }

  /** The request of an `ask` record, exactly as the model got it. */
  requestOf(ask: ModelAsked): ModelRequest {
    return requestOf(this.#transcript, this.#conversations, ask);
  }

  /** The usage up to that event, and the limits. */
  budgetAt(sequence: number): BudgetAt {
    return budgetAt(this.#transcript.records, sequence);
  }

  /** The content that a `files.change` event names, so that `replayFiles` can take a reader. */
  async get(contentId: string): Promise<Uint8Array | undefined> {
    return await this.#states.content(contentId, this.#index.events);
  }

  /** The runs of subagents, in the order of their start. */
  async children(): Promise<readonly ChildRun[]> {
    const names = await this.#records.children();
    return names.map((name) => ({
      ...{ sequence: Number.parseInt(name, 10), name },
      open: async () => RunReader.open(await this.#records.child(name), this.#options),
    }));
  }

  close(): void {
    this.#states.close();
    this.#onClose();
  }

  [Symbol.dispose](): void {
    this.close();
  }

  /** Only for `readRun`, which passes the records. */
  static async open(
    given: object,
    options: ReadRunOptions,
    onClose: () => void = () => {},
  ): Promise<RunReader> {
    // The constructor checks it.
    const records = given as RunRecords;
    const reader = new RunReader(records, options, await records.readHeader?.());
    reader.#onClose = onClose;
    await reader.refresh();
    if (reader.#index.recordCount > 0) return reader;
    throw new AdapterError("RUN_INVALID", { subject: "run", reason: "it has no log" });
  }

  get #turnList(): TurnList {
    this.#turns ??= new TurnList(this.#transcript.records, this.#index.events);
    return this.#turns;
  }

  #askAt(sequence: number): ModelAsked | undefined {
    return this.#transcript.records.findLast(
      (record): record is ModelAsked => record.kind === "ask" && record.sequence <= sequence,
    );
  }
}

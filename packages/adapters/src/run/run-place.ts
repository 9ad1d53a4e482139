import type { Spending } from "@wink/prompt";
import type { Session } from "@wink/session";
import type { SessionLogOptions } from "@wink/session/jsonl";
import type { TranscriptRecords } from "../transcript/read-transcript.js";
import type { Redact } from "../transcript/transcript-parts.js";
import type { OnRunStarted, TranscriptRecorder } from "../transcript/transcript-recorder.js";
import type { TranscriptWriter } from "../transcript/transcript-writer.js";
import type { RunHeader } from "./run-header.js";
import type { StateStore } from "./state-store.js";

/** A session whose events are stored with the run. */
export interface RunLog {
  readonly session: Session;
  /** Also closes the session. */
  close(): Promise<void>;
}

/** A transcript that is stored with the run. */
export interface OpenedTranscript {
  readonly recorder: TranscriptRecorder;
  readonly writer: TranscriptWriter;
  /** What earlier processes wrote. */
  readonly earlier: TranscriptRecords;
  /** Everything that is written, also by this process. */
  read(): TranscriptRecords | Promise<TranscriptRecords>;
  close(): void;
}

export interface PlaceOptions {
  readonly fsync: boolean;
  readonly redact: Redact | undefined;
  readonly onStart: OnRunStarted;
}

/** Where a run is written. One process at a time may have the log open; it is the writer of everything else too. */
export interface RunPlace {
  /** The header, or `undefined` for a new run or one of an earlier version. Throws `RUN_INVALID`. */
  readHeader(): RunHeader | undefined;
  writeHeader(header: RunHeader): void;
  openLog(options: SessionLogOptions): Promise<RunLog>;
  openTranscript(options: PlaceOptions): OpenedTranscript;
  /** The records of the transcript, without opening it for writing. */
  readTranscript(): TranscriptRecords | Promise<TranscriptRecords>;
  /** @param store the header's `store` */
  openStates(store: string, fsync: boolean): StateStore;
  /** The place of a subagent's run, named after the start event. */
  child(name: string): RunPlace;
  /** The names of the subagents' runs. */
  childNames(): Promise<readonly string[]>;
  /** What a queued subagent used. @default a run in a directory has no queued subagents */
  spentBy?(id: string): Promise<Spending>;
  /** This run's `store` as a subagent's run names it. */
  childStore(store: string): string;
}

/** What a reader gets from a place. Nothing is locked or changed. */
export interface RunRecords {
  /** `undefined` for a log without a run, or a run of an earlier version. */
  readHeader(): Promise<RunHeader | undefined>;
  /** The lines that were added to the log since the last call. */
  newEvents(): Promise<readonly string[]>;
  /** The lines that were added to the transcript since the last call. */
  newTranscript(): Promise<readonly string[]>;
  openStates(header: RunHeader): StateStore | undefined;
  /** The names of the subagents' runs, in the order of their start. */
  children(): Promise<readonly string[]>;
  child(name: string): RunRecords | Promise<RunRecords>;
}

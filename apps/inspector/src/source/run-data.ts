import type { TranscriptEntry } from "@wink/adapters/run";
import type { RecordedEvent } from "@wink/session";
import type { Position, RunOverview } from "../model/run-overview.js";
import type { ContentId, FileRow, FilesAt, SliceView } from "../model/run-views.js";

/** A file's content at an event. */
export interface FileVersion {
  readonly sequence: number;
  /** The path at that time, which a rename changes. */
  readonly path: string;
  readonly content: ContentId;
}

/**
 * The stored data of one run, from which `LocalSource` answers all questions. There are two implementations: one reads
 * the files of a run, the other reads an exported page.
 */
export interface RunData {
  /** Reads later data. */
  refresh(): Promise<void>;
  overview(since?: Position): Promise<RunOverview>;
  wait(version: string, signal: AbortSignal | undefined): Promise<boolean>;
  /** Both inclusive. Events that do not exist are left out. */
  events(from: number, to: number): Promise<readonly RecordedEvent[]>;
  /** All records, in their order. */
  transcript(): Promise<readonly TranscriptEntry[]>;
  part(id: string): Promise<unknown>;
  slices(sequence: number): Promise<readonly SliceView[]>;
  files(at: FilesAt): Promise<readonly FileRow[]>;
  content(id: ContentId): Promise<Uint8Array>;
  /** The versions of the file at a path up to an event, oldest first. Renames are followed. */
  versions(path: string, sequence: number): Promise<readonly FileVersion[]>;
}

/** The runs of a source. */
export interface RunCatalog {
  /** Rejects with `UNKNOWN`. */
  open(key: string): Promise<RunData>;
}

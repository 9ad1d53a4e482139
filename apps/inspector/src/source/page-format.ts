import type { JsonDelta } from "../model/json-delta.js";
import type { RunKey, RunSummary } from "../model/run-overview.js";
import type { ExportContents } from "../model/run-views.js";

// The data of an exported page. It is in elements `<script type="text/plain" data-wink="…">` whose text is the base64 form
// of gzip. Each is decoded when it is needed. `data-wink` is `manifest`, or the number of a chunk.

export const PAGE_FORMAT = "wink-inspector";
export const PAGE_VERSION = 1;

/** Values that change with events: a value with the changes after it. Each segment is one chunk. */
export interface Segment {
  /** The first event of the segment. */
  readonly from: number;
  readonly chunk: number;
}

export interface SegmentContent {
  readonly value: unknown;
  /** In the order of events. */
  readonly changes: readonly (readonly [sequence: number, JsonDelta])[];
}

/** The data of one run. Numbers are those of chunks. */
export interface RunChunks {
  /** A `RunOverview`. */
  readonly overview: number;
  /** Lists of events, each with the number of its first event. */
  readonly events: readonly Segment[];
  /** Lists of the transcript's records. */
  readonly transcript: readonly number[];
  /** Values of slices by name. */
  readonly slices: readonly Segment[];
  /** `TreeJson`. Empty if files were omitted. */
  readonly trees: readonly Segment[];
  /** The chunk with the rolled-back files: by rollback event, the delta from the files after it to the files before it. */
  readonly undone: number | null;
}

/** The files of a state, by path. */
export type TreeJson = Readonly<Record<string, FileJson>>;
export type FileJson = readonly [
  kind: "f" | "d" | "l",
  sizeBytes: number,
  mode: number,
  content: string,
];

export interface PageManifest {
  readonly format: typeof PAGE_FORMAT;
  readonly version: typeof PAGE_VERSION;
  readonly contents: ExportContents;
  readonly open: RunKey | null;
  readonly compare: RunKey | null;
  readonly runs: readonly RunSummary[];
  readonly data: Readonly<Record<RunKey, RunChunks>>;
  /** Chunks with the parts of transcripts, as pairs of id and value, and the chunk with the ids in each of them. */
  readonly parts: { readonly ids: number | null; readonly chunks: readonly number[] };
  /** A chunk with the place of each content: chunk, offset and length. */
  readonly contentPlaces: number | null;
}

export type ContentPlaces = Readonly<
  Record<string, readonly [chunk: number, offset: number, length: number]>
>;

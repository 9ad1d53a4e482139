import type { Position, RunKey, RunOverview, RunSummary } from "../model/run-overview.js";
import type {
  BlameView,
  CallView,
  ChangeList,
  ContentId,
  ExportContents,
  FilesAt,
  FileTree,
  FileView,
  MessagePage,
  PromptView,
  RawEvent,
  SearchOptions,
  SearchResult,
  SeenRange,
  StateView,
  TextDiff,
} from "../model/run-views.js";

/** What the page was opened for. */
export interface SourceInfo {
  /** Newest first, without the runs of subagents. */
  readonly runs: readonly RunSummary[];
  /** The run to open, or `null` for the list. */
  readonly open: RunKey | null;
  /** The run to compare with `open`. */
  readonly compare: RunKey | null;
  readonly isLive: boolean;
  /** Set for an exported page. */
  readonly contents: ExportContents | null;
}

/**
 * Everything that the inspector can ask about runs: over HTTP from `wink inspect`, or over the data in an exported page.
 *
 * All answers are JSON. A question about a run, event, turn, call or content that does not exist rejects with a
 * `SourceError`. Answers about events up to `overview.lastSequence` never change, so a page may cache them.
 */
export interface RunSource {
  info(): Promise<SourceInfo>;
  /** With a position, only later data. */
  overview(run: RunKey, since?: Position): Promise<RunOverview>;
  /** Waits until the run has more than `version`, or about 20 s. Resolves to whether it has. */
  wait(run: RunKey, version: string, signal?: AbortSignal): Promise<boolean>;
  /** The events `from` to `to`, both inclusive, at most 1,000. */
  events(run: RunKey, from: number, to: number): Promise<readonly RawEvent[]>;
  /** The records of the transcript from an event to the next one. */
  records(run: RunKey, sequence: number): Promise<readonly unknown[]>;
  /** The value of a part of the transcript. */
  part(run: RunKey, id: string): Promise<unknown>;
  tree(run: RunKey, at: FilesAt): Promise<FileTree>;
  changes(run: RunKey, from: FilesAt, to: FilesAt): Promise<ChangeList>;
  /** The content of a file that `tree` or `changes` listed. */
  content(run: RunKey, id: ContentId): Promise<FileView>;
  /** The line diff of two contents; `null` for a file that does not exist. */
  diff(run: RunKey, before: ContentId | null, after: ContentId | null): Promise<TextDiff>;
  /** @param turn the position in `overview.turns` */
  prompt(run: RunKey, turn: number): Promise<PromptView>;
  /** The conversation after an event: the messages `from` to `to`, `to` exclusive, at most 200. */
  messages(run: RunKey, sequence: number, from: number, to: number): Promise<MessagePage>;
  /** @param index the position in `overview.calls` */
  call(run: RunKey, index: number): Promise<CallView>;
  state(run: RunKey, sequence: number): Promise<StateView>;
  /** @param entry the position in the entries of `tree(run, { event: sequence })` */
  seen(run: RunKey, sequence: number, entry: number): Promise<readonly SeenRange[]>;
  /** Which call wrote each line. */
  blame(run: RunKey, sequence: number, entry: number): Promise<BlameView>;
  search(run: RunKey, text: string, options?: SearchOptions): Promise<SearchResult>;
}

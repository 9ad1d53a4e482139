// The answers to questions about one moment of a run.
import type { RunKey } from "./run-overview.js";

/** The id of a file's content. */
export type ContentId = string;

/** The files after an event or, with `undone`, before the rollback that the event reports. */
export interface FilesAt {
  readonly event: number;
  readonly undone?: true | undefined;
}

export interface FileRow {
  readonly path: string;
  readonly kind: "file" | "directory" | "symlink";
  readonly sizeBytes: number;
  /** Permission bits, such as `0o644`. */
  readonly mode: number;
  /** Empty for a directory. */
  readonly content: ContentId;
}

/** All files at a moment. Other questions about this moment name a file by its index in `entries`. */
export interface FileTree {
  /** The id of the state. Equal ids mean equal files. */
  readonly state: string;
  readonly entries: readonly FileRow[];
}

/** The content of a file. At most `MAX_CONTENT_BYTES`. */
export interface FileView {
  readonly content: ContentId;
  readonly sizeBytes: number;
  readonly kind: "text" | "image" | "binary";
  /** The content of a text file. */
  readonly text: string;
  /** The type of an image, found by its first bytes: PNG, JPEG, GIF, WebP or AVIF. SVG is text. */
  readonly mediaType: string;
  /** The bytes of an image, and the first bytes of other binary content. */
  readonly base64: string;
  /** Whether only the beginning is here. */
  readonly isCut: boolean;
}

export interface ChangeRow {
  readonly type: "added" | "modified" | "deleted" | "renamed" | "mode";
  readonly path: string;
  readonly oldPath: string | null;
  readonly kind: FileRow["kind"];
  readonly before: ContentId | null;
  readonly after: ContentId | null;
  readonly sizeBytesBefore: number;
  readonly sizeBytesAfter: number;
}

export interface ChangeList {
  /** The ids of both states. */
  readonly from: string;
  readonly to: string;
  /** At most 5,000. */
  readonly changes: readonly ChangeRow[];
  readonly total: number;
}

/** One hunk of a line diff. */
export interface DiffHunk {
  /** The number of the first line on each side, from 1. */
  readonly oldStart: number;
  readonly newStart: number;
  /** Each starts with a space, `+` or `-`, and has no newline. */
  readonly lines: readonly string[];
}

export interface TextDiff {
  readonly hunks: readonly DiffHunk[];
  readonly added: number;
  readonly removed: number;
  /** One side is not text, so it has no hunks. */
  readonly isBinary: boolean;
  /** One side is larger than the limit, so only the beginnings were compared. */
  readonly isCut: boolean;
}

export interface SectionView {
  readonly path: string;
  readonly title: string;
  readonly visibility: "full" | "summary";
  /** Where it is in the whole prompt. */
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

export interface ToolView {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: unknown;
}

/** The request of a turn. */
export interface PromptView {
  readonly turn: number;
  readonly sections: readonly SectionView[];
  readonly tools: readonly ToolView[];
  readonly outputSchema: unknown;
  readonly messages: number;
}

export interface MessageView {
  readonly role: "user" | "assistant" | "tool";
  /** At most 64 KiB; the whole text is the part `id`. */
  readonly text: string;
  readonly isCut: boolean;
  /** The id of its part. */
  readonly id: string;
  /** The turn that added it, or `null` for messages that the run started with. */
  readonly turn: number | null;
  readonly toolCalls: readonly {
    readonly id: string;
    readonly name: string;
    readonly input: unknown;
  }[];
  /** Set for the message of a tool. */
  readonly toolCallId: string | null;
  readonly toolName: string | null;
  readonly success: boolean | null;
  /** Other fields, such as thoughts and sources. */
  readonly other: Readonly<Record<string, unknown>>;
}

export interface MessagePage {
  readonly total: number;
  readonly from: number;
  readonly messages: readonly MessageView[];
}

export interface CallView {
  readonly index: number;
  /** What the model sent. `undefined` if the transcript is missing. */
  readonly input: unknown;
  /** What the model read. */
  readonly answer: string | null;
  readonly isCut: boolean;
  readonly status: string;
  /** Why a policy refused the call, or why it was rolled back. */
  readonly reason: string | null;
  readonly errors: readonly {
    readonly where: string;
    readonly name: string;
    readonly message: string;
  }[];
  /** The exceptions of the call with their stacks, if the transcript has them. */
  readonly thrown: unknown;
  readonly undone: {
    readonly reason: string;
    /** The changed paths, at most 100. */
    readonly paths: readonly string[];
    readonly events: number;
    readonly complete: boolean;
    /** Whether `changes(run, { event: end }, { event: end, undone: true })` has an answer. */
    readonly hasFiles: boolean;
  } | null;
  /** Files that the model has seen or changed. */
  readonly files: readonly {
    readonly path: string;
    readonly how: string;
    readonly lines: readonly number[] | null;
  }[];
  /** The ids of the files' state before and after. */
  readonly stateBefore: string | null;
  readonly stateAfter: string | null;
  readonly child: RunKey | null;
}

export interface SliceView {
  readonly name: string;
  readonly value: unknown;
  /** Whether the value was too large, and `value` is the beginning of its JSON. */
  readonly isCut: boolean;
  /** The definition of the slice is in the agent's program, so only the value at the start of the log is known. */
  readonly isOld: boolean;
}

export interface StateView {
  readonly sequence: number;
  readonly slices: readonly SliceView[];
}

/** A range of lines that the model has read. Both numbers count from 1 and are included. */
export interface SeenRange {
  readonly from: number;
  readonly to: number;
  readonly call: number;
  /** Whether the file had the same content when the model read it. */
  readonly isCurrent: boolean;
}

/** Lines `from` to `to` (from 1, inclusive) were last written by this event. */
export interface BlameRange {
  readonly from: number;
  readonly to: number;
  /** `0` means that the file was there at the start. */
  readonly sequence: number;
  /** The position of the call, or `null`. */
  readonly call: number | null;
  /** The subagent's run that wrote the line, with its own event and call, if one did. */
  readonly child: {
    readonly run: RunKey;
    readonly sequence: number;
    readonly call: number | null;
  } | null;
}

export interface BlameView {
  readonly path: string;
  readonly ranges: readonly BlameRange[];
}

export interface SearchOptions {
  /** @default all */
  readonly in?: readonly ("events" | "text" | "paths")[] | undefined;
  /** @default 200 */
  readonly limit?: number | undefined;
  /** Where a previous answer stopped. @default the start */
  readonly after?: string | undefined;
}

export interface SearchHit {
  readonly in: "events" | "text" | "paths";
  /** The event to go to. */
  readonly sequence: number;
  readonly call: number | null;
  readonly turn: number | null;
  /** Such as `answer of edit_file` or `section Task`. */
  readonly where: string;
  readonly path: string | null;
  readonly excerpt: string;
  /** Where the match is in the excerpt. */
  readonly start: number;
  readonly end: number;
}

export interface SearchResult {
  readonly hits: readonly SearchHit[];
  /** Pass it as `after` for more hits. `null` at the end. */
  readonly next: string | null;
}

/** An event as it was recorded, with the records of the transcript that were written before the next event. */
export interface RawEvent {
  readonly sequence: number;
  readonly type: string;
  readonly timestampMs: number;
  readonly payload: unknown;
  readonly meta?: unknown;
  readonly rolledBack?: { readonly reason: string } | undefined;
  /** For people: what happened, and to what. */
  readonly what: string;
  readonly detail: string;
}

/** What an export contains. */
export interface ExportContents {
  readonly runs: number;
  readonly events: number;
  readonly prompts: boolean;
  readonly files: boolean;
  readonly fileCount: number;
  readonly fileBytes: number;
  readonly createdAt: string;
  readonly wink: string;
}

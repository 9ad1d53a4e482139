import type { ReadResult } from "@wink/filesystem";
import { requireMember } from "../error/check-options.js";

/** A part of a file that the model has seen. */
export interface FileView {
  readonly path: string;
  /** Revision of the content that was shown. */
  readonly revision: string;
  /** The first line, counted from 0. */
  readonly offset: number;
  readonly lineCount: number;
  readonly totalLines: number;
}

/** A file that a call changes. */
export interface PlannedChange {
  readonly path: string;
  /**
   * `whole` replaces the content with text from the model. `part` edits or appends. `transfer` puts
   * another file in its place (copy or move).
   */
  readonly extent: "whole" | "part" | "transfer";
}

/**
 * The files that a call reads or changes. Paths are as the model wrote them; policies resolve them.
 */
export interface ToolFiles<Input = unknown, Value = unknown> {
  /** What the model has seen after the call has succeeded. */
  views?(input: Input, value: Value): readonly FileView[];
  /** The files that the call will change. */
  changes?(input: Input): readonly PlannedChange[];
  /** The files that the call will delete or move away. */
  removes?(input: Input): readonly string[];
  /**
   * Whether the handler may run on a copy of the files, to show its changes to a person before the call. Set it only for
   * a handler that changes nothing but `context.filesystem` and `context.session`. @default false
   */
  readonly dryRun?: boolean;
}

/** Makes a {@link FileView} from a page that was read. */
export function viewOf(page: ReadResult): FileView {
  requireMember("viewOf", page, "content", "the result of filesystem.read()");
  const { path, revision, offset, totalLines, content } = page;
  const newlines = content.split("\n").length - 1;
  const lineCount = content === "" || content.endsWith("\n") ? newlines : newlines + 1;
  return { path, revision, offset, lineCount, totalLines };
}

import type { ReadResult } from "@wink/filesystem";

/** A part of a file that a model has been shown. */
export interface FileView {
  readonly path: string;
  /** Of the content that was shown. */
  readonly revision: string;
  /** The first line shown, counted from 0. */
  readonly offset: number;
  readonly lineCount: number;
  readonly totalLines: number;
}

/** A file that a call changes. */
export interface FileChange {
  readonly path: string;
  /**
   * `whole` replaces the content with what the model wrote, `part` changes some of it
   * or adds to it, `transfer` puts another file in its place, as a copy or a move does.
   */
  readonly extent: "whole" | "part" | "transfer";
}

/** Which files a call concerns. Paths are as the model wrote them; policies look them up. */
export interface ToolFiles<Input = unknown, Value = unknown> {
  /** What the model has seen once the call has succeeded. */
  views?(input: Input, value: Value): readonly FileView[];
  /** What the call is about to change. */
  changes?(input: Input): readonly FileChange[];
  /** What the call is about to delete or move away. */
  removes?(input: Input): readonly string[];
}

/** A {@link FileView} of a page that was read. */
export function viewOf(page: ReadResult): FileView {
  const { path, revision, offset, totalLines, content } = page;
  const newlines = content.split("\n").length - 1;
  const lineCount = content === "" || content.endsWith("\n") ? newlines : newlines + 1;
  return { path, revision, offset, lineCount, totalLines };
}

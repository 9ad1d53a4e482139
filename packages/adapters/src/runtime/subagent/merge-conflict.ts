/** A path at which the two sides conflict. It contains both versions, so nothing is lost. */
export interface MergeConflict {
  readonly path: string;
  readonly reason: /**
   * Both sides changed the same or neighbouring lines in different ways, or the file is not text.
   */
    | "both-changed"
    /** Both sides added a file with this name, with different contents. */
    | "both-added"
    /** The subagent deleted a file that was changed in the workspace in the meantime. */
    | "deleted-by-subagent"
    /** The subagent changed a file that was deleted in the workspace in the meantime. */
    | "deleted-in-workspace"
    /** One side has a file where the other has a directory. */
    | "kind"
    /** A special file, or a file too large for a snapshot. These are never merged. */
    | "not-carried";
  /** The file, or the target of the link, when the subagent started; `undefined` if it did not exist. */
  readonly base: Uint8Array | undefined;
  /** The file in the workspace. */
  readonly ours: Uint8Array | undefined;
  /** The file in the fork. */
  readonly theirs: Uint8Array | undefined;
  /** Where the subagent's version was written, with `onConflict: "keep-both"`. */
  readonly keptAt: string | undefined;
}

/** The result of a merge. Paths are in byte order. */
export interface MergeReport {
  /** Whether the changes were merged. If not, the workspace is unchanged. */
  readonly merged: boolean;
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** The files in `written` that combine changes of both sides. */
  readonly combined: readonly string[];
  readonly conflicts: readonly MergeConflict[];
}

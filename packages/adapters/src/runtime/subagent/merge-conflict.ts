/** Why a change of a subagent could not be put into the workspace. */
export type MergeConflictReason =
  /** The same lines, or neighbouring ones, were changed in different ways; or it is no text. */
  | "both-changed"
  /** Two files of one name, with different contents. */
  | "both-added"
  /** The subagent deleted what was changed meanwhile. */
  | "deleted-by-subagent"
  /** The subagent changed what was deleted meanwhile. */
  | "deleted-in-workspace"
  /** A file on one side stands where the other has a directory. */
  | "kind"
  /** A symbolic link, a special file, or a file too large to be kept: none of them is carried over. */
  | "not-carried";

/** One path at which both sides cannot be had at once. Neither side is lost: both are here. */
export interface MergeConflict {
  readonly path: string;
  readonly reason: MergeConflictReason;
  /** As it was when the subagent began; `undefined` when there was no file. */
  readonly base: Uint8Array | undefined;
  /** As it is in the workspace. */
  readonly ours: Uint8Array | undefined;
  /** As the subagent left it. */
  readonly theirs: Uint8Array | undefined;
  /** Where the subagent's file was put, with `onConflict: "keep-both"`. */
  readonly keptAt: string | undefined;
}

/** What became of a subagent's changes. Paths are in byte order. */
export interface MergeReport {
  /** Whether the changes are in the workspace. When not, nothing of them is. */
  readonly merged: boolean;
  readonly written: readonly string[];
  readonly deleted: readonly string[];
  /** Those of `written` that hold changes of both sides. */
  readonly combined: readonly string[];
  readonly conflicts: readonly MergeConflict[];
}

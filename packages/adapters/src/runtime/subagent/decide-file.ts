import { mergeFile } from "@wink/filesystem";
import type { FileState, NodeState } from "./file-state.js";
import type { ChangedFile } from "./fork-changes.js";
import type { MergeConflictReason } from "./merge-conflict.js";

/** What the merge does with one file of the workspace. */
export type FileDecision =
  | { readonly kind: "keep" }
  | { readonly kind: "delete" }
  | { readonly kind: "write"; readonly file: FileState; readonly combined: boolean }
  | { readonly kind: "conflict"; readonly reason: MergeConflictReason };

const CONFLICTS = {
  "both-added": "both-added",
  "both-changed": "both-changed",
  "deleted-in-ours": "deleted-in-workspace",
  "deleted-in-theirs": "deleted-by-subagent",
} as const;

/**
 * Decides the merge of one file into the workspace. `planMerge` checks whether a directory of the
 * workspace blocks the file.
 */
export async function decideFile(
  { base, theirs }: ChangedFile,
  ours: NodeState,
): Promise<FileDecision> {
  if (ours.kind === "other") return { kind: "conflict", reason: "kind" };
  const file = ours.kind === "file" ? ours : undefined;
  const versions = { base: ours.kind === "directory" ? undefined : base, ours: file, theirs };
  const merge = await mergeFile(versions, { combine: true });
  if (merge.kind === "conflict") return { kind: "conflict", reason: CONFLICTS[merge.reason] };
  if (merge.kind !== "write") return merge;
  const { bytes, executable, combined } = merge;
  return { kind: "write", file: { kind: "file", bytes, executable }, combined };
}

import { mergeFile } from "@wink/filesystem";
import type { FileState, NodeState } from "./file-state.js";
import type { ChangedFile } from "./fork-changes.js";
import type { MergeConflict } from "./merge-conflict.js";

/** What the merge does with one file of the workspace. */
export type FileDecision =
  | { readonly kind: "keep" }
  | { readonly kind: "delete" }
  | { readonly kind: "write"; readonly file: FileState; readonly combined: boolean }
  | { readonly kind: "conflict"; readonly reason: MergeConflict["reason"] };

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
  if ([versions.base, file, theirs].some((each) => each?.isLink)) return decideLink(versions);
  const merge = await mergeFile(versions, { combine: true });
  if (merge.kind === "conflict") return { kind: "conflict", reason: CONFLICTS[merge.reason] };
  if (merge.kind !== "write") return merge;
  const { bytes, executable, combined } = merge;
  return { kind: "write", file: { kind: "file", bytes, executable, isLink: false }, combined };
}

/** Decides where one of the versions is a symbolic link. Links are not combined: a change on one side wins. */
function decideLink({
  base,
  ours,
  theirs,
}: Readonly<Record<"base" | "ours" | "theirs", FileState | undefined>>): FileDecision {
  if (isSame(ours, theirs) || isSame(base, theirs)) return { kind: "keep" };
  if (isSame(base, ours))
    return theirs === undefined
      ? { kind: "delete" }
      : { kind: "write", file: theirs, combined: false };
  if (theirs === undefined) return { kind: "conflict", reason: "deleted-by-subagent" };
  if (ours === undefined) return { kind: "conflict", reason: "deleted-in-workspace" };
  return { kind: "conflict", reason: base === undefined ? "both-added" : "both-changed" };
}

function isSame(a: FileState | undefined, b: FileState | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  const hasSameKind = a.isLink === b.isLink && a.executable === b.executable;
  return hasSameKind && Buffer.compare(a.bytes, b.bytes) === 0;
}

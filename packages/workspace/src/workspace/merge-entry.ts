import { mergeFile, type TreeEntry } from "@wink/filesystem";
import { mergeMode, modeOf } from "../apply/merge-mode.js";
import { hashOf, isLargeEntry, partsOf } from "../apply/side-content.js";
import type { ApplyConflict } from "../error/apply-error.js";
import { fileEntry } from "./incoming-files.js";

/** One path before and after a change, and as the workspace has it. `undefined` where it does not exist. */
export interface EntryVersions {
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
  readonly ours: TreeEntry | undefined;
}

export type MergedEntry =
  /** The workspace already has the change. */
  | { readonly kind: "keep" }
  | {
      readonly kind: "write";
      readonly entry: TreeEntry | undefined;
      /** Whether the content has changes of both sides. */
      readonly isCombined: boolean;
    }
  | { readonly kind: "conflict"; readonly reason: ApplyConflict["reason"] };

/**
 * Takes a change over into the workspace. What only one side changed wins: the content, and each permission bit. Changes
 * to different lines of a text are combined. Everything else is a conflict.
 */
export async function mergeEntry({ before, after, ours }: EntryVersions): Promise<MergedEntry> {
  if (ours === before) return { kind: "write", entry: after, isCombined: false };
  if (await isSame(ours, after)) return { kind: "keep" };
  if (await isSame(ours, before)) return { kind: "write", entry: after, isCombined: false };
  const isLink = [before, after, ours].some((each) => each?.kind === "symlink");
  const reason = isLink ? "link" : after === undefined ? "missing" : "changed";
  const conflict = { kind: "conflict", reason } as const;
  if (ours?.kind !== "file" || after?.kind !== "file") return conflict;
  if (before !== undefined && before.kind !== "file") return conflict;
  const mode = mergeMode(before && modeOf(before), modeOf(ours), modeOf(after));
  const write = (entry: TreeEntry, isCombined: boolean) => {
    return { kind: "write", entry: withMode(entry, mode), isCombined } as const;
  };
  if (before && (await hasSameContent(before, after)))
    return mode === modeOf(ours) ? { kind: "keep" } : write(ours, false);
  if (before && (await hasSameContent(before, ours))) return write(after, false);
  if (await hasSameContent(after, ours)) return write(ours, false);
  if ([before, after, ours].some(isLargeEntry)) return conflict;
  const merge = await mergeFile(
    { base: await versionOf(before), ours: await versionOf(ours), theirs: await versionOf(after) },
    { combine: true },
  );
  if (merge.kind !== "write") return conflict;
  return write(fileEntry(ours.path, merge.bytes, merge.executable), true);
}

function withMode(entry: TreeEntry, mode: number): TreeEntry {
  const { path, kind, modifiedAtMs, sizeBytes, contentId } = entry;
  const executable = (mode & 0o100) !== 0;
  const about = { path, kind, mode, executable, modifiedAtMs, sizeBytes, contentId };
  const content = { read: () => entry.read(), parts: () => partsOf(entry) };
  return { ...about, ...content };
}

async function versionOf<Entry extends TreeEntry | undefined>(entry: Entry) {
  return entry && { bytes: await entry.read(), executable: entry.executable };
}

async function isSame(one: TreeEntry | undefined, other: TreeEntry | undefined): Promise<boolean> {
  if (one === undefined || other === undefined) return one === other;
  if (one.kind !== other.kind) return false;
  if (one.kind === "directory") return true;
  if (one.kind === "file" && modeOf(one) !== modeOf(other)) return false;
  return await hasSameContent(one, other);
}

async function hasSameContent(one: TreeEntry, other: TreeEntry): Promise<boolean> {
  return one.sizeBytes === other.sizeBytes && (await hashOf(one)) === (await hashOf(other));
}

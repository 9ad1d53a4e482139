import { mergeText } from "@wink/filesystem";
import type { FileState, NodeState } from "./file-state.js";
import type { ChangedFile } from "./fork-changes.js";
import type { MergeConflictReason } from "./merge-conflict.js";

/** What the merge does with one file of the workspace. */
export type FileDecision =
  | { readonly kind: "keep" }
  | { readonly kind: "delete" }
  | { readonly kind: "write"; readonly file: FileState; readonly combined: boolean }
  | { readonly kind: "conflict"; readonly reason: MergeConflictReason };

const KEEP: FileDecision = { kind: "keep" };

/**
 * Decides a three-way merge for one file. A change on one side wins, equal changes count once,
 * and changes to different lines of a text are combined.
 *
 * `planMerge` checks whether a directory of the workspace blocks the file.
 */
export async function decideFile(
  { base, theirs }: ChangedFile,
  ours: NodeState,
): Promise<FileDecision> {
  if (ours.kind === "other") return conflict("kind");
  if (theirs === undefined) {
    if (ours.kind !== "file") return KEEP;
    return base !== undefined && isSame(ours, base)
      ? { kind: "delete" }
      : conflict("deleted-by-subagent");
  }
  if (ours.kind === "directory") return { kind: "write", file: theirs, combined: false };
  if (ours.kind === "absent")
    return base === undefined
      ? { kind: "write", file: theirs, combined: false }
      : conflict("deleted-in-workspace");
  return base === undefined ? decideAdded(theirs, ours) : await decideChanged(base, theirs, ours);
}

function decideAdded(theirs: FileState, ours: FileState): FileDecision {
  if (!equalBytes(theirs.bytes, ours.bytes)) return conflict("both-added");
  const executable = theirs.executable || ours.executable;
  return writeOver(ours, { ...ours, executable }, false);
}

async function decideChanged(
  base: FileState,
  theirs: FileState,
  ours: FileState,
): Promise<FileDecision> {
  const executable = theirs.executable === base.executable ? ours.executable : theirs.executable;
  const write = (bytes: Uint8Array, combined: boolean) =>
    writeOver(ours, { kind: "file", bytes, executable }, combined);
  if (equalBytes(ours.bytes, base.bytes)) return write(theirs.bytes, false);
  if (equalBytes(theirs.bytes, base.bytes)) return write(ours.bytes, true);
  if (equalBytes(theirs.bytes, ours.bytes)) return write(ours.bytes, false);
  const merged = await mergeBytes(base.bytes, ours.bytes, theirs.bytes);
  return merged === undefined ? conflict("both-changed") : write(merged, true);
}

function writeOver(ours: FileState, file: FileState, combined: boolean): FileDecision {
  return isSame(ours, file) ? KEEP : { kind: "write", file, combined };
}

async function mergeBytes(
  base: Uint8Array,
  ours: Uint8Array,
  theirs: Uint8Array,
): Promise<Uint8Array | undefined> {
  const [origin, left, right] = [decode(base), decode(ours), decode(theirs)];
  if (origin === undefined || left === undefined || right === undefined) return undefined;
  const merged = await mergeText(origin, left, right);
  return merged === undefined ? undefined : new TextEncoder().encode(merged);
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Decodes the bytes as text; `undefined` if they are not text. */
export function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

function isSame(a: FileState, b: FileState): boolean {
  return a.executable === b.executable && equalBytes(a.bytes, b.bytes);
}

function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function conflict(reason: MergeConflictReason): FileDecision {
  return { kind: "conflict", reason };
}

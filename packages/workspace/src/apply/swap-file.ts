import { fsyncSync, renameSync, unlinkSync } from "node:fs";
import { paths } from "@wink/filesystem";
import { errorCode, type HostRoot, type PinnedDirectory, tolerating } from "@wink/filesystem/host";
import { type HostState, readLeafState } from "./host-state.js";

/** Whether a state of the host is one that apply wrote or expects. Any other state was saved by another process. */
export type StateCheck = (state: HostState) => boolean;

export interface FileSwap {
  readonly root: HostRoot;
  readonly parent: PinnedDirectory;
  readonly leaf: string;
  /** The name of the new file, which is already written; `undefined` to delete the old one. */
  readonly arrival: string | undefined;
  /** Checks that the old file is unchanged; `undefined` when no file may exist. */
  readonly isReplaced: StateCheck | undefined;
  /** The name of the old file until it is deleted. */
  readonly backup: string;
  /** Whether a state is that of the new file. */
  readonly isArrival: StateCheck;
}

/**
 * Replaces, creates or deletes the file at `leaf`. Returns `false` when another process saved the file first; that
 * process's file stays in place.
 *
 * No call in here overwrites a file. The old file is renamed to `backup` and read there, so the check sees exactly the
 * file that is removed. A program that still has it open writes to a file that can be restored. The new file is linked,
 * which fails if the name exists. `backup` is read again after the directory is flushed to disk, then deleted. Between
 * two system calls the name does not exist.
 */
export function swapFile(swap: FileSwap): boolean {
  const { root, parent, leaf, arrival, isReplaced, backup, isArrival } = swap;
  if (isReplaced !== undefined && !moveAside(root, parent, leaf, backup, isReplaced)) return false;
  if (arrival !== undefined && !linkIfFree(parent, arrival, leaf)) {
    // Another process created the file after the old one was renamed. Its version is newer and stays.
    discard(parent, backup);
    return false;
  }
  fsyncSync(parent.fd);
  if (isReplaced === undefined) return true;
  if (isReplaced(readLeafState(root, parent, backup))) {
    discard(parent, backup);
    return true;
  }
  // A program that had the old file open wrote to it after the first check.
  if (arrival === undefined || moveAside(root, parent, leaf, arrival, isArrival))
    putBack(parent, backup, leaf);
  discard(parent, backup);
  if (arrival !== undefined) discard(parent, arrival);
  fsyncSync(parent.fd);
  return false;
}

/** Completes or reverts an interrupted swap. `isKnown` accepts the old and the new file. */
export function settleSwap(
  root: HostRoot,
  parent: PinnedDirectory,
  { leaf, temporary, isKnown }: { leaf: string; temporary: string; isKnown: StateCheck },
): void {
  const backup = backupName(temporary);
  const kept = parent.stat(backup);
  if (kept !== undefined) {
    const there = parent.stat(leaf);
    const isSave = !isKnown(readLeafState(root, parent, backup));
    if (there === undefined) putBack(parent, backup, leaf);
    // The backup is a save by another process and the name has this apply's file. Restore the save.
    else if (isSave && there.ino !== kept.ino && moveAside(root, parent, leaf, temporary, isKnown))
      putBack(parent, backup, leaf);
    discard(parent, backup);
    fsyncSync(parent.fd);
  }
  discard(parent, temporary);
}

/**
 * The prefix of files that `apply` has moved aside. The cleanup of temporary files does not delete them: after a crash
 * such a file can be the only copy of the user's content.
 */
const BACKUP_PREFIX = ".wink-backup-";

/** Derives the backup's name from the temporary name, because the journal stores only the latter. */
export function backupName(temporary: string): string {
  return BACKUP_PREFIX + temporary.slice(paths.TEMPORARY_PREFIX.length);
}

/** Renames the file at `leaf` to `aside`. If it is not the expected file, renames it back and returns `false`. */
function moveAside(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  aside: string,
  isExpected: StateCheck,
): boolean {
  // Checked before the rename too, so that a file that is known to differ never loses its name.
  if (!isExpected(readLeafState(root, parent, leaf))) return false;
  const rename = () => renameSync(parent.pathOf(leaf), parent.pathOf(aside));
  if (tolerating(["ENOENT"], rename, "missing") === "missing") return false;
  if (isExpected(readLeafState(root, parent, aside))) return true;
  putBack(parent, aside, leaf);
  return false;
}

/** Renames `aside` to `leaf`. If `leaf` exists, that file is newer, and `aside` is deleted. */
function putBack(parent: PinnedDirectory, aside: string, leaf: string): void {
  const stat = parent.stat(aside);
  if (stat?.isFile() || stat?.isSymbolicLink()) {
    if (!linkIfFree(parent, aside, leaf)) discard(parent, aside);
  } else if (parent.stat(leaf) === undefined) renameSync(parent.pathOf(aside), parent.pathOf(leaf));
}

function linkIfFree(parent: PinnedDirectory, from: string, to: string): boolean {
  try {
    parent.renameToFree(from, to);
    return true;
  } catch (error) {
    if (errorCode(error) === "EEXIST") return false;
    throw error;
  }
}

/** Deletes a file. A directory stays, because another process made it. */
function discard(parent: PinnedDirectory, name: string): void {
  tolerating(["ENOENT", "EISDIR"], () => unlinkSync(parent.pathOf(name)), undefined);
}

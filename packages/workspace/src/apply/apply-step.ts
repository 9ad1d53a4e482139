import { fsyncSync } from "node:fs";
import { paths, type VirtualPath } from "@wink/filesystem";
import { errorCode, type HostRoot, type PinnedDirectory, tolerating } from "@wink/filesystem/host";
import type { ApplyConflict } from "../error/apply-error.js";
import {
  type FileState,
  type HostState,
  readHostState,
  removeHostDirectory,
  writeNewFile,
  writeNewLink,
} from "./host-state.js";
import { backupName, settleSwap, swapFile } from "./swap-file.js";

/** The state of a host path before or after a change. */
export type Side = { readonly kind: "absent" } | DirectorySide | FileSide | LinkSide;

export interface FileSide {
  readonly kind: "file";
  readonly hash: string;
  readonly mode: number;
  readonly uid?: number | undefined;
  readonly gid?: number | undefined;
  readonly modifiedAtMs?: number | undefined;
  /** Whether the content is not in memory. The steps of such an apply read it from the journal. */
  readonly isLarge?: boolean | undefined;
  parts(): Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
}

export interface DirectorySide {
  readonly kind: "directory";
  readonly mode: number;
  readonly modifiedAtMs?: number | undefined;
}

export interface LinkSide {
  readonly kind: "symlink";
  /** The bytes of the target, one character for each. */
  readonly target: string;
  readonly modifiedAtMs?: number | undefined;
}

/** A change of one host path that can be applied and undone. */
export interface Step {
  readonly root: HostRoot;
  readonly path: VirtualPath;
  readonly workspacePath: string;
  /**
   * The name of the new file while it is written. The journal stores it, so that recovery can delete the file after a
   * crash.
   */
  readonly temporary: string;
  readonly before: Side;
  readonly after: Side;
}

export type Direction = "before" | "after";

/** Thrown when another process changed the path of a step. */
export class ForeignChange extends Error {
  readonly conflict: ApplyConflict;

  constructor({ workspacePath: path }: Step, reason: ApplyConflict["reason"]) {
    super(path);
    this.conflict = { path, reason };
  }
}

/**
 * Brings a path to one of its two states. Repeating it does nothing. Throws `ForeignChange` when the path is in a third
 * state.
 */
export function takeStep(step: Step, direction: Direction): void {
  const { root, path } = step;
  const wanted = step[direction];
  const other = step[opposite(direction)];
  settleStep(step);
  const found = readHostState(root, path);
  if (isOn(found, wanted)) return;
  if (!isOn(found, other) && !isBetween(found, step))
    throw new ForeignChange(step, foreignReason(found, other));
  if (found.kind !== wanted.kind && found.kind === "directory") removeHostDirectory(root, path);
  if (isLeaf(found) || isLeaf(wanted)) changeFile(step, found, wanted);
  if (wanted.kind === "directory") {
    inParentOf(step, (parent, leaf) => {
      orForeign(step, () => root.makeDirectory(parent, leaf));
      if (wanted.mode !== 0o755) root.setDirectoryMode(parent, leaf, () => wanted.mode);
      fsyncSync(parent.fd);
    });
  }
}

/** Completes or reverts an interrupted step in the directory. */
export function settleStep({ root, path, temporary, before, after }: Step): void {
  if (!isLeaf(before) && !isLeaf(after)) return;
  const isKnown = (state: HostState) => isOn(state, before) || isOn(state, after);
  tolerating(
    ["ENOENT", "ENOTDIR", "ELOOP"],
    () =>
      root.inParent(path, (parent, leaf) => {
        settleSwap(root, parent, { leaf, temporary, isKnown });
      }),
    undefined,
  );
}

/** Whether it is a file or a link, which are replaced in one swap. */
export function isLeaf({ kind }: { readonly kind: HostState["kind"] }): boolean {
  return kind === "file" || kind === "symlink";
}

/** Writes, replaces or deletes the file or link of a step. */
function changeFile(step: Step, found: HostState, wanted: Side): void {
  const { root, temporary } = step;
  inParentOf(step, (parent, leaf) => {
    if (wanted.kind === "file")
      writeNewFile(parent, temporary, { ...wanted, parts: partsNow(wanted) });
    if (wanted.kind === "symlink")
      writeNewLink(parent, temporary, Buffer.from(wanted.target, "latin1"), wanted.modifiedAtMs);
    const isDone = swapFile({
      root,
      parent,
      leaf,
      arrival: isLeaf(wanted) ? temporary : undefined,
      isReplaced: isLeaf(found) ? (state) => isSame(state, found) : undefined,
      backup: backupName(temporary),
      isArrival: (state) => isOn(state, wanted),
    });
    if (isDone) return;
    settleStep(step);
    throw new ForeignChange(step, isLeaf(found) ? "changed" : "exists");
  });
}

/** The parts of a file in memory or in a journal. */
function partsNow({ parts }: FileSide): Iterable<Uint8Array> {
  const found = parts();
  if (Symbol.iterator in found) return found;
  throw new Error("a large content is not in the journal yet");
}

/** Runs `body` in the parent directory. Another process may have removed or replaced that directory. */
function inParentOf(step: Step, body: (parent: PinnedDirectory, leaf: string) => void): void {
  const { root, path } = step;
  const parent = orForeign(step, () => root.enter(paths.parentPath(path)));
  try {
    body(parent, paths.baseName(path));
  } finally {
    root.leave(parent);
  }
}

/** Runs `body`. Reports a path that is missing or in the way as another process's change. */
function orForeign<T>(step: Step, body: () => T): T {
  try {
    return body();
  } catch (error) {
    if (!["EEXIST", "ENOENT", "ENOTDIR", "ELOOP"].includes(errorCode(error) ?? "")) throw error;
    throw new ForeignChange(step, "blocked");
  }
}

function foreignReason(found: HostState, other: Side): ApplyConflict["reason"] {
  if (found.kind === "other" || found.kind === "below-link") return "link";
  if (found.kind === "absent") return "missing";
  return other.kind === "absent" ? "exists" : "changed";
}

/** Which state a path is in; `undefined` when it is in neither. */
export function sideOf(step: Step): Direction | undefined {
  const found = readHostState(step.root, step.path);
  if (isOn(found, step.after)) return "after";
  return isOn(found, step.before) || isBetween(found, step) ? "before" : undefined;
}

/**
 * Whether a change of kind was interrupted: a file cannot become a directory in one call, so the path is briefly
 * absent.
 */
function isBetween({ kind }: HostState, { before, after }: Step): boolean {
  return kind === "absent" && before.kind !== after.kind;
}

function opposite(direction: Direction): Direction {
  return direction === "after" ? "before" : "after";
}

function isOn(found: HostState, side: Side): boolean {
  if (side.kind === "symlink")
    return found.kind === "symlink" && found.target.toString("latin1") === side.target;
  if (side.kind === "absent") return found.kind === "absent" || found.kind === "below-link";
  if (side.kind === "directory") return found.kind === "directory";
  return (
    found.kind === "file" &&
    (found.mode & 0o777) === (side.mode & 0o777) &&
    found.hash() === side.hash
  );
}

/**
 * Whether a file was not written to since it was read. The mtime also shows a truncation of a file that was already
 * empty.
 */
function isSame(state: HostState, found: HostState): boolean {
  if (found.kind === "symlink")
    return state.kind === "symlink" && state.target.equals(found.target);
  return (
    state.kind === "file" &&
    found.kind === "file" &&
    state.mode === found.mode &&
    state.mtimeMs === found.mtimeMs &&
    isSameContent(state, found)
  );
}

function isSameContent(one: FileState, other: FileState): boolean {
  if (one.bytes === undefined || other.bytes === undefined) return one.hash() === other.hash();
  return Buffer.compare(one.bytes, other.bytes) === 0;
}

import { chmodSync, fsyncSync } from "node:fs";
import { type HostRoot, pathIn } from "../host/host-root.js";
import { makeDirectory } from "../host/make-directory.js";
import type { VirtualPath } from "../virtual-path.js";
import {
  clearTemporary,
  contentHash,
  type HostState,
  putHostFile,
  readHostState,
  removeHostDirectory,
  removeHostFile,
} from "./host-state.js";

/** How a place on the host is on one side of a change. */
export type Side =
  | { readonly kind: "absent" }
  | { readonly kind: "directory"; readonly mode: number }
  | {
      readonly kind: "file";
      readonly hash: string;
      readonly mode: number;
      readonly uid?: number | undefined;
      readonly gid?: number | undefined;
      read(): Uint8Array;
    };

/** One thing to be done on the host, and to be undone. */
export interface Step {
  readonly root: HostRoot;
  readonly path: VirtualPath;
  readonly workspacePath: string;
  readonly temporary: string;
  readonly before: Side;
  readonly after: Side;
}

export type Direction = "before" | "after";

/** Somebody else has changed what a step was to change. */
export class ForeignChange extends Error {
  readonly workspacePath: string;

  constructor(workspacePath: string) {
    super(workspacePath);
    this.workspacePath = workspacePath;
  }
}

/** Brings a place to one of its sides. Doing so again does nothing; a third state is left alone and thrown. */
export function takeStep(step: Step, direction: Direction): void {
  const { root, path, temporary } = step;
  const wanted = step[direction];
  const other = step[opposite(direction)];
  const found = readHostState(root, path);
  // A write that failed half-way may have left something, whichever way it was going.
  if (wanted.kind === "file" || other.kind === "file") clearTemporary(root, path, temporary);
  if (isOn(found, wanted)) return;
  if (!isOn(found, other) && !isBetween(found, step)) throw new ForeignChange(step.workspacePath);
  if (found.kind !== wanted.kind && found.kind === "file") removeHostFile(root, path);
  if (found.kind !== wanted.kind && found.kind === "directory") removeHostDirectory(root, path);
  if (wanted.kind === "file") {
    const { mode, uid, gid } = wanted;
    const exclusive = found.kind !== "file";
    putHostFile(root, path, { bytes: wanted.read(), mode, uid, gid, temporary, exclusive });
  } else if (wanted.kind === "directory") {
    root.inParent(path, (parent, leaf) => {
      makeDirectory(root, parent, leaf);
      if (wanted.mode !== 0o755) chmodSync(pathIn(parent, leaf), wanted.mode);
      fsyncSync(parent.fd);
    });
  }
}

/** Which side a place is on, or still on; `undefined` when it is on neither. */
export function sideOf(step: Step): Direction | undefined {
  const found = readHostState(step.root, step.path);
  if (isOn(found, step.after)) return "after";
  return isOn(found, step.before) || isBetween(found, step) ? "before" : undefined;
}

/** A file cannot turn into a directory in one go: for a moment there is nothing. */
function isBetween({ kind }: HostState, { before, after }: Step): boolean {
  return kind === "absent" && before.kind !== after.kind;
}

export function opposite(direction: Direction): Direction {
  return direction === "after" ? "before" : "after";
}

function isOn(found: HostState, side: Side): boolean {
  if (side.kind !== "file") return found.kind === side.kind;
  return (
    found.kind === "file" &&
    (found.mode & 0o777) === (side.mode & 0o777) &&
    contentHash(found.bytes) === side.hash
  );
}

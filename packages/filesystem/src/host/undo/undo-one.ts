import { fsyncSync, lstatSync, renameSync } from "node:fs";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { HostRoot } from "../containment/host-root.js";
import { setDirectoryAttributes, setTime } from "../containment/node-attributes.js";
import type { UndoRecord } from "../journal/undo-record.js";
import { tolerating } from "../process/from-node-error.js";

/** The private directory of an undo log. */
export interface SavedPlace {
  /** The path of a saved node. */
  saved(name: string): string;
  /** A new path for a node that is in the way. */
  trash(): string;
  readonly fsync: boolean;
}

/** Rolls back one change. Safe to repeat after a crash at any point. */
export function undoRecord(root: HostRoot, record: UndoRecord, place: SavedPlace): void {
  if (record.type === "kept") {
    putBack(root, record.path, place.saved(record.keptAs), place);
    setParentTime(root, record.path, record.parentMs);
    return;
  }
  // If the parent directory is missing, the created node is missing too.
  tolerating(
    ["ENOENT", "ENOTDIR"],
    () => {
      if (record.type === "created") discard(root, record.path, place);
      else if (record.type === "renamed") renameBack(root, record.from, record.to, place);
      else setBack(root, record);
      if (record.type === "created") setParentTime(root, record.path, record.parentMs);
      if (record.type === "renamed") setParentTime(root, record.from, record.parentMs);
    },
    undefined,
  );
}

function putBack(root: HostRoot, path: VirtualPath, kept: string, place: SavedPlace): void {
  if (lstatSync(kept, { throwIfNoEntry: false }) === undefined) return;
  root.inParent(path, (parent, leaf) => {
    const existing = parent.stat(leaf);
    // Another program put a directory here. Move it out of the way.
    if (existing?.isDirectory()) renameSync(parent.pathOf(leaf), place.trash());
    renameSync(kept, parent.pathOf(leaf));
    if (place.fsync) fsyncSync(parent.fd);
  });
}

/** Only the owner of a directory may set its time. */
function setParentTime(root: HostRoot, path: VirtualPath, parentMs: number | undefined): void {
  if (parentMs === undefined) return;
  tolerating(
    ["EPERM", "EACCES", "ENOENT", "ENOTDIR", "ELOOP"],
    () => root.inParent(path, (parent) => setTime(parent.fd, parentMs)),
    undefined,
  );
}

function setBack(
  root: HostRoot,
  { path, mode: permissions, modifiedAtMs }: UndoRecord & { readonly type: "attributes" },
): void {
  root.inParent(path, (parent, leaf) =>
    setDirectoryAttributes(root, parent, leaf, { permissions, modifiedAtMs }),
  );
}

function renameBack(
  root: HostRoot,
  from: VirtualPath,
  to: VirtualPath,
  { fsync }: SavedPlace,
): void {
  if (root.inParent(from, (parent, leaf) => parent.stat(leaf)) !== undefined) return;
  root.inParent(to, (target, newName) => {
    if (target.stat(newName) === undefined) return;
    root.inParent(from, (source, name) => {
      renameSync(target.pathOf(newName), source.pathOf(name));
      if (fsync) fsyncSync(source.fd);
    });
  });
}

function discard(root: HostRoot, path: VirtualPath, { trash, fsync }: SavedPlace): void {
  root.inParent(path, (parent, leaf) => {
    tolerating(["ENOENT"], () => renameSync(parent.pathOf(leaf), trash()), undefined);
    if (fsync) fsyncSync(parent.fd);
  });
}

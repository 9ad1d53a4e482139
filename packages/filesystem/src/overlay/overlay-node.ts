import type { DriverStat } from "../driver/driver.js";
import { NameMap } from "../memory/name-map.js";
import type { VirtualPath } from "../path/virtual-path.js";
import type { NodeKind } from "../protocol/filesystem.js";

interface Attributes {
  readonly mode: number;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** A file or link that was written in the overlay. */
export interface OwnContent extends Attributes {
  readonly source: "own";
  readonly kind: "file" | "symlink";
  readonly bytes: Uint8Array;
  readonly revision: string;
}

/** A directory whose list of children differs, or may differ, from the base. */
export interface OwnDirectory extends Attributes {
  readonly source: "own";
  readonly kind: "directory";
  readonly children: NameMap<OverlayNode>;
}

/** A node of the base with everything below it, perhaps at another path. */
export interface BaseNode {
  readonly source: "base";
  readonly kind: NodeKind;
  /** Its path in the base. */
  readonly path: VirtualPath;
  /** Attributes that were set in the overlay. */
  readonly changed: Pick<DriverStat, "mode" | "modifiedAtMs">;
}

/** Nodes never change, so a version of the overlay is its root. */
export type OverlayNode = OwnContent | OwnDirectory | BaseNode;

let lastOwner = 0;

/** A copy of a directory with one child set or removed. */
export function withChild(
  directory: OwnDirectory,
  name: string,
  child: OverlayNode | undefined,
  now: number,
): OwnDirectory {
  const before = directory.children.get(name);
  const children = directory.children.copyFor(++lastOwner);
  if (child === undefined) children.delete(name);
  else children.set(name, child);
  const isSameList = (before === undefined) === (child === undefined);
  return { ...directory, children, modifiedAtMs: isSameList ? directory.modifiedAtMs : now };
}

export function emptyDirectory(now: number): OwnDirectory {
  const times = { createdAtMs: now, modifiedAtMs: now };
  return { source: "own", kind: "directory", mode: 0o755, ...times, children: noChildren() };
}

export function noChildren(): NameMap<OverlayNode> {
  return new NameMap(++lastOwner);
}

export function baseNode(path: VirtualPath, kind: NodeKind): BaseNode {
  return { source: "base", kind, path, changed: {} };
}

/** Whether two nodes are equal without reading them. */
export function isSameNode(one: OverlayNode | undefined, other: OverlayNode | undefined): boolean {
  if (one === other) return true;
  if (one?.source !== "base" || other?.source !== "base") return false;
  return (
    one.path === other.path &&
    one.kind === other.kind &&
    one.changed.mode === other.changed.mode &&
    one.changed.modifiedAtMs === other.changed.modifiedAtMs
  );
}

import type { Stats } from "node:fs";
import { timeOf } from "../containment/node-attributes.js";
import { CLOCK_TICK_MS } from "../driver/unseen-changes.js";
import type { NodeAttributes } from "../git-store/tree-attributes.js";
import type { EntryKind } from "../git-store/tree-object.js";

/** The kind of an entry. The last three are not stored in tree objects. */
export type ScannedKind = EntryKind | "special" | "excluded" | "too-large";

/** The result of a scan for one directory. The next scan uses it. */
export interface ScannedDirectory {
  readonly dev: number;
  readonly ino: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Whether an equal stat means equal names. */
  readonly settled: boolean;
  readonly entries: readonly ScannedEntry[];
  readonly treeId: string;
  /** Whether the tree object and all objects below it are in the store. */
  readonly stored: boolean;
  /** Whether something at any depth must be removed or fixed although it is not in a tree object. */
  readonly hasFaults: boolean;
  /** Whether something at any depth must not be changed. */
  readonly hasKept: boolean;
}

export interface ScannedEntry {
  readonly name: string;
  readonly kind: ScannedKind;
  /** Empty for an entry that is not in a tree object or could not be read. */
  readonly id: string;
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Whether an equal stat means equal content. */
  readonly settled: boolean;
  /** Whether the object is in the store, and not only its ID is known. */
  readonly stored: boolean;
  readonly directory?: ScannedDirectory | undefined;
}

/** The fields of a stat that show whether a node has changed. */
export type NodeStat = Pick<Stats, "dev" | "ino" | "size" | "mode" | "mtimeMs" | "ctimeMs">;

/**
 * Whether a change after `lookedAtMs` would be visible in the stat. A change may stay invisible for up to
 * `unseenMs`. Always false for a ctime in the future.
 */
export function isSettled(
  ctimeMs: number,
  lookedAtMs: number,
  unseenMs: number = CLOCK_TICK_MS,
): boolean {
  return ctimeMs + unseenMs < lookedAtMs;
}

/**
 * Whether nothing about the node has changed. Any program can set `mtime`, but none can set `ctime`. The times are
 * floating-point numbers with a precision of a quarter of a microsecond, which is shorter than a system call.
 */
export function isSameNode(entry: ScannedEntry, stat: NodeStat): boolean {
  return (
    entry.ctimeMs === stat.ctimeMs &&
    entry.mtimeMs === stat.mtimeMs &&
    entry.size === stat.size &&
    entry.ino === stat.ino &&
    entry.mode === stat.mode &&
    entry.dev === stat.dev
  );
}

export function isSameDirectory(directory: ScannedDirectory, stat: Stats): boolean {
  return (
    directory.ctimeMs === stat.ctimeMs &&
    directory.mtimeMs === stat.mtimeMs &&
    directory.ino === stat.ino &&
    directory.dev === stat.dev
  );
}

/** The attributes that a snapshot stores. */
export function attributesOf({ kind, mode, mtimeMs }: ScannedEntry): NodeAttributes {
  const modifiedAtMs = timeOf({ mtimeMs });
  return kind === "symlink" ? { modifiedAtMs } : { mode: mode & 0o777, modifiedAtMs };
}

/** Whether a tree object and its side record have the same item for both. */
export function isSameItem(one: ScannedEntry, other: ScannedEntry): boolean {
  return (
    one.id === other.id &&
    one.kind === other.kind &&
    one.mode === other.mode &&
    timeOf(one) === timeOf(other)
  );
}

/** Whether tree objects contain this kind. */
export function isCaptured(kind: ScannedKind): kind is EntryKind {
  return kind !== "special" && kind !== "excluded" && kind !== "too-large";
}

/** Computes the two flags of a directory from its entries. */
export function remarksOn(
  entries: readonly ScannedEntry[],
): Pick<ScannedDirectory, "hasFaults" | "hasKept"> {
  let hasFaults = false;
  let hasKept = false;
  for (const { kind, mode, directory } of entries) {
    if (kind === "special" || directory?.hasFaults || hasSpecialMode(kind, mode)) hasFaults = true;
    if (kind === "excluded" || kind === "too-large" || directory?.hasKept) hasKept = true;
  }
  return { hasFaults, hasKept };
}

/** Whether a file has a set-user-ID, set-group-ID or sticky bit. A restore clears them. */
export function hasSpecialMode(kind: ScannedKind, mode: number): boolean {
  return (kind === "file" || kind === "executable") && (mode & 0o7000) !== 0;
}

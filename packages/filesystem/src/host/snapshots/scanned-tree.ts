import type { Stats } from "node:fs";
import { CLOCK_TICK_MS } from "../driver/unseen-changes.js";
import type { EntryKind } from "../git-store/tree-object.js";

/** What is in a directory. The last three are in no tree object. */
export type ScannedKind = EntryKind | "special" | "excluded" | "too-large";

/** A directory as a scan found it. The next scan starts from there. */
export interface ScannedDirectory {
  readonly dev: number;
  readonly ino: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Whether an equal stat means equal names. */
  readonly settled: boolean;
  readonly entries: readonly ScannedEntry[];
  readonly treeId: string;
  /** Whether the tree object and all below it were put into the store. */
  readonly stored: boolean;
  /** Whether something at any depth has to go or be mended though it is in no tree object. */
  readonly hasFaults: boolean;
  /** Whether something at any depth is to be left alone. */
  readonly hasKept: boolean;
}

export interface ScannedEntry {
  readonly name: string;
  readonly kind: ScannedKind;
  /** Empty for what is in no tree object, and for what could not be read. */
  readonly id: string;
  readonly dev: number;
  readonly ino: number;
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Whether an equal stat means equal content. */
  readonly settled: boolean;
  /** Whether the object was put into the store, and not only named. */
  readonly stored: boolean;
  readonly directory?: ScannedDirectory | undefined;
}

/** What of a stat says whether a node has changed. */
export type NodeStat = Pick<Stats, "dev" | "ino" | "size" | "mode" | "mtimeMs" | "ctimeMs">;

/**
 * Whether a change after `lookedAtMs` would show in the stat, if no change is unseen for longer than `unseenMs`.
 * With a ctime from the future it would not.
 */
export function isSettled(
  ctimeMs: number,
  lookedAtMs: number,
  unseenMs: number = CLOCK_TICK_MS,
): boolean {
  return ctimeMs + unseenMs < lookedAtMs;
}

/**
 * Whether nothing about the node has changed. `mtime` can be set by anybody, `ctime` by nobody.
 * The times are floating point, exact to a quarter of a microsecond, which is less than a system call takes.
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

/** Whether the kind is one that a tree object holds. */
export function isCaptured(kind: ScannedKind): kind is EntryKind {
  return kind !== "special" && kind !== "excluded" && kind !== "too-large";
}

/** The two remarks on a directory that follow from what is in it. */
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

/** Whether a file runs as somebody else. No restored file does. */
export function hasSpecialMode(kind: ScannedKind, mode: number): boolean {
  return (kind === "file" || kind === "executable") && (mode & 0o7000) !== 0;
}

import { fstatSync, type Stats } from "node:fs";
import type { DriverEntry } from "../../driver/driver.js";
import { rawName } from "../../path/host-name.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { NodeKind } from "../../protocol/filesystem.js";
import type { Frame } from "../containment/directory-stack.js";
import type { HostRoot } from "../containment/host-root.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { visibleEntries } from "../containment/visible-entries.js";
import {
  isSameDirectory,
  isSettled,
  type ScannedDirectory,
  type ScannedEntry,
} from "./scanned-tree.js";

/** A name in a directory that is being scanned. */
export interface Found {
  readonly name: string;
  /** Known if the directory was read in this scan. */
  readonly kind?: NodeKind | undefined;
  readonly before?: ScannedEntry | undefined;
}

/** A directory that is being scanned. */
export interface ScanFrame extends Frame {
  readonly name: string;
  readonly entryBefore: ScannedEntry | undefined;
  /** The path prefix for the names in it, if the path can be written as text. */
  readonly plainPrefix: string | undefined;
  readonly stat: Stats;
  readonly settled: boolean;
  readonly before: ScannedDirectory | undefined;
  readonly found: readonly Found[];
  readonly entries: ScannedEntry[];
  next: number;
  /** Whether the tree object differs from the one of `before`. */
  changed: boolean;
}

/** Opens a directory for the scan. Its names are read unless its stat shows that they did not change. */
export function openFrame(
  root: HostRoot,
  directory: PinnedDirectory,
  path: VirtualPath,
  name: string,
  entryBefore: ScannedEntry | undefined,
  before = entryBefore?.directory,
): ScanFrame {
  const lookedAtMs = Date.now();
  const stat = fstatSync(directory.fd);
  const known = before?.settled && isSameDirectory(before, stat) ? before : undefined;
  const names = known ? undefined : readNames(root, directory);
  // A hidden file may become visible without a change of the directory, when its process dies.
  const isStable = names?.hasHidden !== true && isSettled(stat.ctimeMs, lookedAtMs);
  const settled = known !== undefined || isStable;
  const found = known ? known.entries.map(recall) : recognise(names?.visible ?? [], before);
  const changed = before === undefined || found.length !== before.entries.length;
  const plainPrefix = plainPrefixOf(root, path);
  return {
    path,
    name,
    entryBefore,
    plainPrefix,
    directory,
    stat,
    settled,
    before,
    found,
    entries: [],
    next: 0,
    changed,
  };
}

/** Longer paths are not used as text, because they could exceed the host's maximum length. */
const MAX_PLAIN_CHARACTERS = 1_000;

function plainPrefixOf(root: HostRoot, path: VirtualPath): string | undefined {
  if (path.length > MAX_PLAIN_CHARACTERS || rawName(path) !== path) return undefined;
  return path === "" ? `${root.path}/` : `${root.path}/${path}/`;
}

function recall(before: ScannedEntry): Found {
  return { name: before.name, before };
}

function readNames(root: HostRoot, directory: PinnedDirectory) {
  const all = directory.entries();
  const visible = visibleEntries(root, directory, all);
  return { visible, hasHidden: visible.length < all.length };
}

function recognise(
  entries: readonly DriverEntry[],
  before: ScannedDirectory | undefined,
): readonly Found[] {
  const known = new Map(before?.entries.map((entry) => [entry.name, entry]));
  return entries.map(({ name, kind }) => ({ name, kind, before: known.get(name) }));
}

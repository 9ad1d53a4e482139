import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import type { ObjectDatabase } from "../git-store/object-database.js";
import { reach } from "../git-store/reachable.js";
import type { RefFiles } from "../git-store/ref-files.js";
import { repack } from "../git-store/repack.js";
import type { StoreLayout } from "../git-store/store-layout.js";
import { tolerating } from "../process/from-node-error.js";
import type { ProcessLock } from "../process/process-lock.js";
import { livingIn, removeDead } from "../process/process-token.js";
import { readIfThere, removeIfThere } from "../process/store-io.js";
import { CHECKPOINTS, NAMES, SNAPSHOTS } from "./snapshot-registry.js";
import { RUNS } from "./tree-store.js";
import { changeGeneration } from "./workspace-scanner.js";

/**
 * Objects that are younger than this are kept if another process has the store open, because it may be using them.
 */
const GRACE_MS = 60 * 60 * 1000;

export interface CollectOptions {
  readonly layout: StoreLayout;
  readonly objects: ObjectDatabase;
  readonly refs: RefFiles;
  readonly lock: ProcessLock;
  /** The file which marks that this process has the store open. */
  readonly session: string;
  /** Trees that are kept although no reference leads to them. */
  readonly alsoKeep: readonly string[];
  readonly fsync: boolean;
}

/**
 * Removes objects that no reference leads to.
 *
 * Does nothing while another process is writing objects: the next call will do it. Returns whether it ran.
 */
export function collectGarbage(options: CollectOptions): boolean {
  const { layout, lock } = options;
  if (!lock.tryAcquire()) return false;
  try {
    if (livingIn(layout.leases).length > 0) return false;
    removeDead(layout.leases);
    sweep(options);
    return true;
  } finally {
    lock.release();
  }
}

function sweep({ layout, objects, refs, session, alsoKeep, fsync }: CollectOptions): void {
  objects.refresh();
  const kept = new Set<string>();
  let complete = true;
  const roots = [SNAPSHOTS, NAMES, CHECKPOINTS, RUNS].flatMap((prefix) => {
    const readable = refs.list(prefix);
    for (const name of refs.names(prefix)) if (!readable.has(name)) complete = false;
    return [...readable.values()];
  });
  reach(objects, [...roots, ...journalled(layout), ...alsoKeep], kept, () => {
    complete = false;
  });
  // A reference or an object that cannot be read may be repaired by hand. Until then everything it leads to must
  // stay.
  if (!complete) return;
  // Changed before the removal, so that other processes check their cached objects even if this process dies in the
  // middle.
  changeGeneration(layout.generation, fsync);
  const others = livingIn(layout.sessions).some((name) => join(layout.sessions, name) !== session);
  const sparedSince = others ? Date.now() - GRACE_MS : Number.POSITIVE_INFINITY;
  repack({ objects, kept, sparedSince, fsync });
  removeLeftovers(layout);
  objects.refresh();
}

/** The target states of unfinished restores. They are still needed. */
function journalled({ journals }: StoreLayout): readonly string[] {
  const restores = names(journals).filter((name) => !name.includes("."));
  return restores.flatMap((name) => {
    const id = readIfThere(join(journals, name))?.toString("latin1").trim();
    return id ? [id] : [];
  });
}

/** Removes the temporary files of dead processes. No process is writing now, because no process holds a lease. */
function removeLeftovers({ objects }: StoreLayout): void {
  for (const name of names(objects)) {
    if (name.startsWith("tmp_obj_")) removeIfThere(join(objects, name));
    if (!/^(?:[0-9a-f]{2}|pack)$/.test(name)) continue;
    for (const inner of names(join(objects, name)))
      if (inner.startsWith("tmp_obj_")) removeIfThere(join(objects, name, inner));
  }
}

function names(directory: string): readonly string[] {
  const isThere = statSync(directory, { throwIfNoEntry: false }) !== undefined;
  return isThere ? tolerating(["ENOENT"], () => readdirSync(directory), []) : [];
}

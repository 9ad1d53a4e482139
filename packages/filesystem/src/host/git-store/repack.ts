import { readdirSync, rmdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { removeIfThere } from "../process/store-io.js";
import type { ObjectDatabase } from "./object-database.js";
import { PackWriter } from "./pack-writer.js";

/** A pack is rewritten if less than this share of its objects is still needed. */
const MIN_USED = 0.7;
/** More loose objects than this are moved into one pack, because each loose object occupies a disk block. */
const MAX_LOOSE = 1_000;
/** Larger objects stay in separate files. */
const MAX_PACKED_BYTES = 8 * 1024 * 1024;

export interface RepackOptions {
  readonly objects: ObjectDatabase;
  readonly kept: ReadonlySet<string>;
  /** Objects written after this time are never removed. */
  readonly sparedSince: number;
  readonly fsync: boolean;
}

/**
 * Removes all objects that are not in `kept`. Needed objects are written to the new pack before the old pack is
 * removed.
 */
export function repack(options: RepackOptions): void {
  const { objects, kept, sparedSince } = options;
  const isSpared = (path: string) =>
    (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) > sparedSince;
  const loose = [...objects.loose.ids()];
  const dead = loose.filter((id) => !kept.has(id) && !isSpared(objects.loose.pathOf(id)));
  for (const id of dead) objects.loose.remove(id);
  if (dead.length > 0) removeEmptyFolders(objects.directory);

  const packs = [...objects.packs].filter(([name]) => !isSpared(packPath(objects, name)));
  const wasteful = packs.filter(([, pack]) => usedShare(pack.index, kept) < MIN_USED);
  const keptLoose = loose.filter((id) => kept.has(id));
  const movable = keptLoose.length > MAX_LOOSE ? keptLoose : [];
  const moved = new Set(movable);
  for (const [, pack] of wasteful)
    for (let at = 0; at < pack.index.count; at++) {
      const id = pack.index.idAt(at);
      if (kept.has(id)) moved.add(id);
    }
  const written = writePack(options, moved);
  for (const [name] of wasteful) {
    // Keep a pack with a damaged object, because a repair tool may still recover it.
    if (name === written.name || !written.complete) continue;
    // Remove the index first: without it the pack is ignored.
    removeIfThere(join(objects.directory, "pack", `${name}.idx`));
    removeIfThere(packPath(objects, name));
  }
  for (const id of movable) if (written.ids.has(id)) objects.loose.remove(id);
  if (movable.length > 0) removeEmptyFolders(objects.directory);
}

function packPath({ directory }: ObjectDatabase, name: string): string {
  return join(directory, "pack", `${name}.pack`);
}

function usedShare(
  index: { readonly count: number; idAt(at: number): string },
  kept: ReadonlySet<string>,
): number {
  let used = 0;
  for (let at = 0; at < index.count; at++) if (kept.has(index.idAt(at))) used++;
  return index.count === 0 ? 0 : used / index.count;
}

function writePack(
  { objects, fsync }: RepackOptions,
  ids: ReadonlySet<string>,
): {
  readonly name: string | undefined;
  readonly ids: ReadonlySet<string>;
  readonly complete: boolean;
} {
  const written = new Set<string>();
  let complete = true;
  if (ids.size === 0) return { name: undefined, ids: written, complete };
  const writer = new PackWriter(join(objects.directory, "pack"), objects.format, fsync);
  try {
    for (const id of ids) {
      const object = objects.read(id);
      if (object === undefined) complete = false;
      if (object === undefined || object.content.length > MAX_PACKED_BYTES) continue;
      writer.add(id, object.type, object.content);
      written.add(id);
    }
  } catch (error) {
    writer.discard();
    throw error;
  }
  return { name: writer.finish()?.name, ids: written, complete };
}

function removeEmptyFolders(directory: string): void {
  for (const name of readdirSync(directory)) {
    if (!/^[0-9a-f]{2}$/.test(name)) continue;
    const path = join(directory, name);
    if (readdirSync(path).length === 0 && dirname(path) === directory) removeFolder(path);
  }
}

function removeFolder(path: string): void {
  try {
    rmdirSync(path);
  } catch {
    // Another process has added an object.
  }
}

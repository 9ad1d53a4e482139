import type { DriverSnapshots } from "../driver/driver-snapshots.js";
import type {
  FilesystemSnapshot,
  PruneOptions,
  PruneReport,
} from "../snapshots/filesystem-snapshot.js";
import { count } from "./page.js";
import type { Target } from "./workspace.js";

/** Deletes the snapshots that exceed the limits, the oldest first. */
export async function pruneSnapshots(
  store: DriverSnapshots,
  target: Target,
  options: PruneOptions,
  nowMs: number,
): Promise<PruneReport> {
  const { keepNamed = true } = options;
  const maxAgeMs = count(target, "maxAgeMs", options.maxAgeMs);
  const maxCount = count(target, "maxCount", options.maxCount);
  const maxBytes = count(target, "maxBytes", options.maxBytes);
  // The size of a damaged snapshot is unknown, and it may still be repaired: only `deleteSnapshot` removes it.
  const all = (await store.list()).filter(({ damaged }) => damaged === undefined);
  const stays = (snapshot: FilesystemSnapshot) => keepNamed && snapshot.name !== undefined;
  const tooOld = (snapshot: FilesystemSnapshot) =>
    maxAgeMs !== undefined && nowMs - Date.parse(snapshot.createdAt) > maxAgeMs;

  const left = all.filter(
    (snapshot, index) =>
      stays(snapshot) || !(tooOld(snapshot) || (maxCount !== undefined && index >= maxCount)),
  );
  let heldBytes = await store.heldBytes(left);
  if (maxBytes !== undefined) {
    for (let index = left.length - 1; index >= 0 && heldBytes > maxBytes; index--) {
      const snapshot = left[index];
      if (snapshot === undefined || stays(snapshot)) continue;
      left.splice(index, 1);
      heldBytes = await store.heldBytes(left);
    }
  }
  const kept = new Set(left);
  const deleted = all.filter((snapshot) => !kept.has(snapshot));
  await store.delete(deleted);
  return Object.freeze({ deleted: Object.freeze(deleted), heldBytes });
}

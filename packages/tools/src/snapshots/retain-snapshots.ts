import type { SnapshotableFilesystem } from "@wink/filesystem";
import { type NamedSnapshot, namedSnapshots } from "./named-snapshots.js";
import { DEFAULT_MAX_SNAPSHOTS, type SnapshotRetention } from "./snapshot-settings.js";

/** Deletes snapshots that exceed the limits, the oldest first, and returns them. Ignores snapshots without a name. */
export async function retainSnapshots(
  filesystem: SnapshotableFilesystem,
  newest: string,
  { maxCount = DEFAULT_MAX_SNAPSHOTS, maxAgeMs, maxBytes }: SnapshotRetention,
): Promise<readonly NamedSnapshot[]> {
  const others = (await namedSnapshots(filesystem)).filter((each) => each.snapshotId !== newest);
  const oldest = maxAgeMs === undefined ? Number.NEGATIVE_INFINITY : Date.now() - maxAgeMs;
  const kept = others.filter(
    ({ createdAt }, index) => index < maxCount - 1 && Date.parse(createdAt) >= oldest,
  );
  const gone = others.filter((each) => !kept.includes(each));
  for (const each of gone) await filesystem.deleteSnapshot(each);
  while (maxBytes !== undefined && (await heldBytes(filesystem)) > maxBytes) {
    const last = kept.pop();
    if (last === undefined) break;
    await filesystem.deleteSnapshot(last);
    gone.push(last);
  }
  return gone;
}

/** `prune` without limits deletes nothing, but reports the size. */
async function heldBytes(filesystem: SnapshotableFilesystem): Promise<number> {
  return (await filesystem.prune({ keepNamed: true })).heldBytes;
}

import type { VerifyReport } from "../../snapshots/filesystem-snapshot.js";
import type { ObjectDatabase } from "../git-store/object-database.js";
import { decodeTree } from "../git-store/tree-object.js";
import type { SnapshotRegistry } from "./snapshot-registry.js";

/**
 * Reads every reference and every object that a snapshot needs, each once, and checks the hashes of the objects.
 */
export function verifySnapshots(objects: ObjectDatabase, registry: SnapshotRegistry): VerifyReport {
  registry.refresh();
  const { readable, damaged: unreadable } = registry.list();
  const verdicts = new Map<string, string | undefined>();
  const verify = (id: string): string | undefined => {
    if (verdicts.has(id)) return verdicts.get(id);
    const verdict = check(id);
    verdicts.set(id, verdict);
    return verdict;
  };
  const check = (id: string): string | undefined => {
    const object = objects.read(id);
    if (object === undefined) return `the object ${id} is missing or damaged`;
    if (object.type !== "tree") return undefined;
    const items = decodeTree(objects.format, object.content);
    if (items === undefined) return `the directory ${id} cannot be read`;
    for (const item of items) {
      const verdict = verify(item.id);
      if (verdict !== undefined) return verdict;
    }
    return undefined;
  };
  const incomplete = readable.flatMap(({ commit: { snapshotId, treeId } }) => {
    const reason = verify(treeId);
    return reason === undefined ? [] : [{ snapshotId, reason }];
  });
  const snapshotCount = readable.length + unreadable.length;
  return {
    snapshotCount,
    // Each snapshot has a commit, which was read when the snapshots were listed.
    objectCount: verdicts.size + snapshotCount,
    damaged: [
      ...incomplete,
      ...unreadable.map(({ snapshotId, reason }) => ({ snapshotId, reason })),
    ],
  };
}

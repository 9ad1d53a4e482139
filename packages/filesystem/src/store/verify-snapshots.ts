import type { VerifyReport } from "../snapshots/filesystem-snapshot.js";
import type { ObjectDatabase } from "./object-database.js";
import type { RegisteredSnapshot } from "./snapshot-registry.js";
import { decodeTree } from "./tree-object.js";

/** Reads every object that a snapshot needs, each once, and compares it with its name. */
export function verifySnapshots(
  objects: ObjectDatabase,
  snapshots: readonly RegisteredSnapshot[],
): VerifyReport {
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
  const damaged = snapshots.flatMap(({ commit: { snapshotId, treeId } }) => {
    const reason = verify(treeId);
    return reason === undefined ? [] : [{ snapshotId, reason }];
  });
  // Commits were read when the snapshots were listed.
  return {
    snapshotCount: snapshots.length,
    objectCount: verdicts.size + snapshots.length,
    damaged,
  };
}

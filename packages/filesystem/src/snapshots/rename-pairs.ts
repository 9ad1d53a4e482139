import { baseName } from "../virtual-path.js";
import type { TreeChange } from "./change-set.js";
import type { TreeEntry } from "./tree-view.js";
import { blobId } from "./unified-patch-blob.js";

/**
 * Finds what was only moved: a file or link that is gone, and one with exactly its content that came.
 *
 * Of several candidates the one that kept its name is taken, then the first by path. Empty files
 * are all alike, so one counts as moved only when it kept its name.
 */
export async function pairRenames(
  deleted: readonly TreeEntry[],
  added: readonly TreeEntry[],
  sameBackend: boolean,
): Promise<TreeChange[]> {
  const sizes = new Set(deleted.map(({ sizeBytes }) => sizeBytes));
  const candidates = added.filter(
    (entry) => entry.kind !== "directory" && sizes.has(entry.sizeBytes),
  );
  if (candidates.length === 0) return [];
  const wanted = new Set(candidates.map(({ sizeBytes }) => sizeBytes));
  const gone = new Map<string, TreeEntry[]>();
  for (const entry of deleted) {
    if (entry.kind === "directory" || !wanted.has(entry.sizeBytes)) continue;
    const key = await contentKey(entry, sameBackend);
    const alike = gone.get(key);
    if (alike === undefined) gone.set(key, [entry]);
    else alike.push(entry);
  }

  const keyed: { readonly entry: TreeEntry; readonly alike: TreeEntry[] }[] = [];
  for (const entry of candidates) {
    const alike = gone.get(await contentKey(entry, sameBackend));
    if (alike !== undefined) keyed.push({ entry, alike });
  }
  const pairs: TreeChange[] = [];
  const left: typeof keyed = [];
  for (const { entry, alike } of keyed) {
    const index = alike.findIndex((old) => baseName(old.path) === baseName(entry.path));
    if (index >= 0) pairs.push(renamed(alike.splice(index, 1)[0], entry));
    else left.push({ entry, alike });
  }
  for (const { entry, alike } of left)
    if (entry.sizeBytes > 0 && alike.length > 0) pairs.push(renamed(alike.shift(), entry));
  return pairs;
}

function renamed(before: TreeEntry | undefined, after: TreeEntry): TreeChange {
  return { type: "renamed", before, after };
}

async function contentKey(entry: TreeEntry, sameBackend: boolean): Promise<string> {
  const id = sameBackend ? entry.contentId : await blobId(await entry.read());
  return `${entry.kind}:${id}`;
}

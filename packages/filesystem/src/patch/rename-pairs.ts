import type { TimeSlices } from "../content/time-slices.js";
import { baseName } from "../path/virtual-path.js";
import type { TreeChange } from "../snapshots/change-set.js";
import type { TreeEntry } from "../snapshots/tree-view.js";
import { blobId } from "./unified-patch-blob.js";

export interface PairOptions {
  /** Whether both sides come from one backend, so that equal `contentId`s mean equal contents. */
  readonly sameBackend: boolean;
  readonly slices: TimeSlices;
}

/**
 * Finds files and links that were only moved: a deleted entry and an added one with exactly the same content.
 *
 * Of several candidates the one with the same name wins, then the first by path. All empty files have the same content,
 * so an empty file counts as moved only if it has the same name. Each entry is looked up a constant number of times,
 * even if many have the same content.
 */
export async function pairRenames(
  deleted: readonly TreeEntry[],
  added: readonly TreeEntry[],
  { sameBackend, slices }: PairOptions,
): Promise<TreeChange[]> {
  const sizes = new Set(deleted.map(({ sizeBytes }) => sizeBytes));
  const candidates = added.filter(
    (entry) => entry.kind !== "directory" && sizes.has(entry.sizeBytes),
  );
  if (candidates.length === 0) return [];
  const wanted = new Set(candidates.map(({ sizeBytes }) => sizeBytes));
  const keyOf = sameBackend ? keyById : keyByBytes;

  const gone = new Map<string, SameContent>();
  for (const entry of deleted) {
    if (slices.spend()) await slices.pause();
    if (entry.kind === "directory" || !wanted.has(entry.sizeBytes)) continue;
    const key = keyOf(entry);
    const content = typeof key === "string" ? key : await key;
    const same = gone.get(content) ?? new SameContent();
    gone.set(content, same);
    same.add(entry);
  }

  const pairs: TreeChange[] = [];
  const left: { readonly entry: TreeEntry; readonly same: SameContent }[] = [];
  for (const entry of candidates) {
    if (slices.spend()) await slices.pause();
    const key = keyOf(entry);
    const same = gone.get(typeof key === "string" ? key : await key);
    if (same === undefined) continue;
    const before = same.takeNamed(baseName(entry.path));
    if (before !== undefined) pairs.push({ type: "renamed", before, after: entry });
    else left.push({ entry, same });
  }
  for (const { entry, same } of left) {
    if (slices.spend()) await slices.pause();
    const before = entry.sizeBytes > 0 ? same.takeFirst() : undefined;
    if (before !== undefined) pairs.push({ type: "renamed", before, after: entry });
  }
  return pairs;
}

/** The deleted entries with the same content that are not paired yet. */
class SameContent {
  readonly #inOrder = new Queue();
  readonly #byName = new Map<string, Queue>();
  readonly #taken = new Set<TreeEntry>();

  add(entry: TreeEntry): void {
    this.#inOrder.entries.push(entry);
    const name = baseName(entry.path);
    const named = this.#byName.get(name) ?? new Queue();
    this.#byName.set(name, named);
    named.entries.push(entry);
  }

  /** Must not be called after the first `takeFirst`. */
  takeNamed(name: string): TreeEntry | undefined {
    const entry = this.#byName.get(name)?.take();
    if (entry !== undefined) this.#taken.add(entry);
    return entry;
  }

  takeFirst(): TreeEntry | undefined {
    let entry = this.#inOrder.take();
    while (entry !== undefined && this.#taken.has(entry)) entry = this.#inOrder.take();
    return entry;
  }
}

/** Not `Array.shift`, because that moves all later entries. */
class Queue {
  readonly entries: TreeEntry[] = [];
  #next = 0;

  take(): TreeEntry | undefined {
    return this.entries[this.#next++];
  }
}

function keyById({ kind, contentId }: TreeEntry): string {
  return `${kind}:${contentId}`;
}

async function keyByBytes(entry: TreeEntry): Promise<string> {
  return `${entry.kind}:${await blobId(await entry.read())}`;
}

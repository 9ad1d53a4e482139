import { availableParallelism } from "node:os";

/** Maps with one concurrent call per core, and keeps the order of the items. */
export async function mapConcurrently<Item, Result>(
  items: readonly Item[],
  map: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = new Array(items.length);
  const queue = items.entries();
  const worker = async () => {
    // All workers take from the same iterator.
    for (const [index, item] of queue) results[index] = await map(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
  return results;
}

import type { Engine, EngineBlob } from "../engine/engine.js";
import { StoreError } from "../engine/store-error.js";
import type { HeadContext } from "./head-context.js";
import { isUnanswered, type Patience, retry } from "./retry.js";

/** How many requests are in flight together. */
const WRITES_AHEAD = 4;

/** Decides which blobs are stored before the commit, and which are sent with it. */
export function splitForCommit(
  { blobs: { batchBytes }, commitsBlobs }: Engine,
  blobs: readonly EngineBlob[],
): { readonly first: readonly EngineBlob[]; readonly rest: readonly EngineBlob[] } {
  if (!commitsBlobs) return { first: blobs, rest: [] };
  const batches = cut(blobs, batchBytes);
  const rest = batches.pop() ?? [];
  return { first: batches.flat(), rest };
}

/** Stores blobs ahead of their commit. If it fails, no reader sees a change. */
export async function putBlobs(
  { engine, subject }: HeadContext,
  pool: string,
  blobs: readonly EngineBlob[],
  patience: Patience,
): Promise<void> {
  const batches = cut(blobs, engine.blobs.batchBytes);
  let next = 0;
  const worker = async () => {
    for (let batch = batches[next++]; batch; batch = batches[next++]) {
      const part = batch;
      await retry(() => engine.blobs.put(pool, part, patience.signal), patience);
    }
  };
  try {
    await Promise.all(Array.from({ length: Math.min(WRITES_AHEAD, batches.length) }, worker));
  } catch (error) {
    if (!isUnanswered(error)) throw error;
    throw new StoreError("UNREACHABLE", subject, undefined, { cause: error });
  }
}

/** Cuts blobs into batches of a bounded size. A pack is never divided. */
function cut(blobs: readonly EngineBlob[], batchBytes: number): EngineBlob[][] {
  const batches: EngineBlob[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  let pack: string | undefined;
  for (const blob of blobs) {
    const ownPack = blob.at?.split(".")[0];
    const isSamePack = ownPack !== undefined && ownPack === pack;
    if (!isSamePack && bytes + blob.bytes.length > batchBytes) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(blob);
    bytes += blob.bytes.length;
    pack = ownPack;
  }
  return batches;
}

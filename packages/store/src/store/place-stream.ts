import type { BlobRef } from "../engine/blob-ref.js";
import { startSha256 } from "../engine/sha256.js";
import { StoreError } from "../engine/store-error.js";
import type { NewContent } from "./head.js";

/** A content whose chunks are stored. */
export interface StoredStream {
  readonly contentId: string;
  readonly sizeBytes: number;
  readonly refs: readonly BlobRef[];
}

/** Cuts a stream into chunks and stores each when it is complete. A stream of one chunk is returned instead. */
export async function placeStream(
  source: AsyncIterable<Uint8Array>,
  chunkBytes: number,
  options: {
    readonly store: (bytes: Uint8Array) => Promise<readonly BlobRef[]>;
    readonly signal: AbortSignal | undefined;
  },
): Promise<NewContent | StoredStream> {
  if (typeof source !== "object" || source === null || !(Symbol.asyncIterator in source))
    throw notAStream();
  const hash = startSha256();
  const refs: BlobRef[] = [];
  let sizeBytes = 0;
  let chunk = new Uint8Array(chunkBytes);
  let filled = 0;
  for await (const part of source) {
    options.signal?.throwIfAborted();
    if (!(part instanceof Uint8Array)) throw notAStream();
    hash.add(part);
    sizeBytes += part.length;
    for (let at = 0; at < part.length; ) {
      if (filled === chunkBytes) {
        refs.push(...(await options.store(chunk)));
        chunk = new Uint8Array(chunkBytes);
        filled = 0;
      }
      const piece = part.subarray(at, at + chunkBytes - filled);
      chunk.set(piece, filled);
      filled += piece.length;
      at += piece.length;
    }
  }
  const contentId = await hash.end();
  const last = chunk.subarray(0, filled);
  if (refs.length === 0) return { bytes: last, contentId };
  refs.push(...(await options.store(last)));
  return { contentId, sizeBytes, refs };
}

function notAStream(): StoreError {
  return new StoreError("ARGUMENT_INVALID", "placeStream", "expected a stream of Uint8Array");
}

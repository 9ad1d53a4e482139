import type { BlobBatch, BlobRef, HeadWriter } from "@wink/store";
import { encodeIndex, type FilesState } from "./files-state.js";
import type { StoredVersion } from "./load-state.js";
import { type Chunk, type NewChunk, rebuildChunks } from "./manifest.js";

/** With more chunks, their list is a separate content. */
const MAX_LISTED_CHUNKS = 64;

/** Writes manifests for one commit. */
export class ManifestBuilder {
  readonly batches: BlobBatch[] = [];
  readonly #writer: HeadWriter;

  constructor(writer: HeadWriter) {
    this.#writer = writer;
  }

  async build(
    base: FilesState,
    changed: readonly string[],
    { root }: StoredVersion,
    placed: ReadonlyMap<string, BlobRef>,
  ): Promise<FilesState> {
    const made = rebuildChunks(base.chunks, changed, root, placed);
    const fresh = made.filter((each): each is NewChunk => "bytes" in each);
    const refs = await this.#put(fresh.map(({ bytes }) => bytes));
    const refOf = new Map(fresh.map((each, index) => [each, refs[index] as BlobRef]));
    const chunks = made.map(
      (each): Chunk =>
        "bytes" in each ? { first: each.first, ref: refOf.get(each) as BlobRef } : each,
    );
    const [index] = chunks.length > MAX_LISTED_CHUNKS ? await this.#put([encodeIndex(chunks)]) : [];
    return { chunks, index, changes: new Map() };
  }

  async #put(contents: readonly Uint8Array[]): Promise<readonly BlobRef[]> {
    const batch = await this.#writer.place(contents.map((bytes) => ({ bytes })));
    this.batches.push(batch);
    return batch.refs;
  }
}

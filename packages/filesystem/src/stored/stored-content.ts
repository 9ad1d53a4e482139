import type { BlobBatch, BlobRef } from "@wink/store";
import { FileContent } from "../content/file-content.js";
import type { NodeContent } from "../memory/memory-node.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";
import type { ContentCache } from "./content-cache.js";

/** The content of a stored file. Its revision is the SHA-256 of its bytes, so it is the same on every machine. */
export class StoredContent implements NodeContent {
  readonly revision: string;
  readonly sizeBytes: number;
  readonly #cache: ContentCache;
  #ref: BlobRef | undefined;
  /** Until the content is stored, this is the only copy. */
  #own: FileContent | undefined;
  /** The batch of a content that was stored before its commit. */
  #batch: BlobBatch | undefined;

  private constructor(cache: ContentCache, revision: string, sizeBytes: number) {
    this.#cache = cache;
    this.revision = revision;
    this.sizeBytes = sizeBytes;
  }

  /** A content that is in the store. */
  static stored(
    cache: ContentCache,
    revision: string,
    sizeBytes: number,
    ref: BlobRef,
  ): StoredContent {
    const content = new StoredContent(cache, revision, sizeBytes);
    content.#ref = ref;
    return content;
  }

  /** A content that the next commit stores. The caller gives the bytes away. */
  static fresh(cache: ContentCache, contentId: string, bytes: Uint8Array): StoredContent {
    const content = new StoredContent(cache, contentId, bytes.length);
    content.#own = FileContent.ofBytes(bytes, contentId);
    return content;
  }

  /** A content whose bytes were stored while they arrived. The next commit makes them visible. */
  static staged(cache: ContentCache, batch: BlobBatch, sizeBytes: number): StoredContent {
    // A batch of a stream has one content.
    const content = new StoredContent(cache, batch.contentIds[0] as string, sizeBytes);
    content.#ref = batch.refs[0];
    content.#batch = batch;
    return content;
  }

  get ref(): BlobRef | undefined {
    return this.#ref;
  }

  get batch(): BlobBatch | undefined {
    return this.#batch;
  }

  /** The content, if no commit has stored it. */
  get fresh(): FileContent | undefined {
    return this.#own;
  }

  get loaded(): FileContent | undefined {
    return this.#own ?? this.#cache.get(this.revision);
  }

  load(): MaybePromise<FileContent> {
    return this.loaded ?? this.#cache.load(this);
  }

  /** A part of the content. A large content is not loaded completely. */
  async read(offset: number, length: number): Promise<Uint8Array> {
    const { loaded } = this;
    if (loaded !== undefined) return loaded.bytes().subarray(offset, offset + length);
    return await this.#cache.readPart(this, offset, length);
  }

  equals(other: StoredContent): boolean {
    return this.revision === other.revision;
  }

  /** Called after the commit that stored the content. */
  committed(ref: BlobRef): void {
    this.#ref = ref;
    this.#batch = undefined;
    if (this.#own !== undefined) this.#cache.add(this.#own);
    this.#own = undefined;
  }
}

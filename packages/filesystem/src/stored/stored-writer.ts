import { type BlobBatch, contentIdOf } from "@wink/store";
import { concatBytes, copyBytes } from "../content/bytes.js";
import type { DriverWriter } from "../driver/driver-accelerators.js";
import type { ContentCache } from "./content-cache.js";
import { StoredContent } from "./stored-content.js";

/** Stores a content while it arrives. */
export type PlaceStream = (source: AsyncIterable<Uint8Array>) => Promise<BlobBatch>;

/** More bytes than this are stored while they arrive. */
const MAX_COLLECTED_BYTES = 4 * 1024 * 1024;
const PART_BYTES = 1024 * 1024;

/** Collects the bytes of a file. A large file is stored while it arrives, so that it need not fit in memory. */
export class StoredWriter implements DriverWriter {
  readonly #before: (() => StoredContent | undefined) | undefined;
  readonly #cache: ContentCache;
  readonly #placeStream: PlaceStream | undefined;
  readonly #put: (content: StoredContent) => string;
  #parts: Uint8Array[] = [];
  #bytes = 0;
  #placing: { readonly channel: Channel; readonly batch: Promise<BlobBatch> } | undefined;

  /** @param before returns the content to which the bytes are appended; `undefined` if they replace it */
  constructor(
    before: (() => StoredContent | undefined) | undefined,
    cache: ContentCache,
    placeStream: PlaceStream | undefined,
    put: (content: StoredContent) => string,
  ) {
    this.#before = before;
    this.#cache = cache;
    this.#placeStream = placeStream;
    this.#put = put;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#bytes += bytes.length;
    if (this.#placing !== undefined) return await this.#placing.channel.send(copyBytes(bytes));
    this.#parts.push(copyBytes(bytes));
    // An append is collected in memory, because the content before it is known only at the commit.
    const isCollected = this.#before !== undefined || this.#bytes <= MAX_COLLECTED_BYTES;
    if (this.#placeStream === undefined || isCollected) return;
    const channel = new Channel();
    const batch = this.#placeStream(channel);
    batch.catch((error: unknown) => channel.fail(error));
    this.#placing = { channel, batch };
    for (const part of this.#parts.splice(0)) await channel.send(part);
  }

  async commit(): Promise<string> {
    if (this.#placing !== undefined) {
      this.#placing.channel.end();
      return this.#put(StoredContent.staged(this.#cache, await this.#placing.batch, this.#bytes));
    }
    const before = this.#before?.();
    const sizeBytes = this.#bytes + (before?.sizeBytes ?? 0);
    if (this.#placeStream !== undefined && sizeBytes > MAX_COLLECTED_BYTES) {
      const batch = await this.#placeStream(appended(before, this.#parts));
      return this.#put(StoredContent.staged(this.#cache, batch, sizeBytes));
    }
    const kept = before ? [(await before.load()).bytes()] : [];
    const whole = concatBytes([...kept, ...this.#parts]);
    return this.#put(StoredContent.fresh(this.#cache, await contentIdOf(whole), whole));
  }

  async abort(): Promise<void> {
    this.#parts = [];
    if (this.#placing === undefined) return;
    this.#placing.channel.fail(new Error("The write was aborted."));
    await this.#placing.batch.catch(() => {});
  }
}

async function* appended(
  before: StoredContent | undefined,
  parts: readonly Uint8Array[],
): AsyncGenerator<Uint8Array> {
  for (let offset = 0; before !== undefined && offset < before.sizeBytes; offset += PART_BYTES)
    yield await before.read(offset, PART_BYTES);
  yield* parts;
}

interface Part {
  readonly bytes: Uint8Array;
  readonly taken: () => void;
}

/** Passes on parts one at a time: `send` resolves when the reader asks for the next part. */
class Channel implements AsyncIterable<Uint8Array> {
  #parts: Part[] = [];
  #isEnded = false;
  #failure: { readonly error: unknown } | undefined;
  #wake: () => void = () => {};

  async send(bytes: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.error;
    await new Promise<void>((taken) => {
      this.#parts.push({ bytes, taken });
      this.#wake();
    });
    if (this.#failure !== undefined) throw (this.#failure as { error: unknown }).error;
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  fail(error: unknown): void {
    this.#failure ??= { error };
    for (const { taken } of this.#parts) taken();
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array, void, void> {
    for (;;) {
      if (this.#failure !== undefined) throw this.#failure.error;
      const part = this.#parts.shift();
      if (part !== undefined) {
        yield part.bytes;
        part.taken();
      } else if (this.#isEnded) return;
      else
        await new Promise<void>((wake) => {
          this.#wake = wake;
        });
    }
  }
}

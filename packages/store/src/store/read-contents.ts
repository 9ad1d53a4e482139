import { type BlobRef, type LocatedRef, parseRef } from "../engine/blob-ref.js";
import { checkCallOptions } from "../engine/check-options.js";
import { toText } from "../engine/frames.js";
import { StoreError } from "../engine/store-error.js";
import type { StoreCallOptions } from "./head.js";
import { type HeadContext, patienceOf } from "./head-context.js";
import { retry } from "./retry.js";

/** How many bytes one request asks for. */
const READ_BATCH_BYTES = 8 * 1024 * 1024;
/** How many requests are in flight together. */
const READS_AHEAD = 8;

/** Reads contents of a head's pools. */
export class ContentReader {
  readonly #context: HeadContext;
  readonly #pools: readonly string[];

  constructor(context: HeadContext, pools: readonly string[]) {
    this.#context = context;
    this.#pools = pools;
  }

  async read(
    refs: readonly BlobRef[],
    options?: StoreCallOptions,
  ): Promise<ReadonlyMap<BlobRef, Uint8Array>> {
    checkCallOptions("read", options);
    if (!Array.isArray(refs))
      throw new StoreError("ARGUMENT_INVALID", "read", "expected an array of references");
    const parsed = refs.map((ref) => this.#parse(ref));
    const found = await this.#fetch(parsed, options);
    const joined = new Map<BlobRef, Uint8Array>();
    // `fetch` rejects when one is missing.
    for (const each of parsed)
      if (each.chunked && !joined.has(each.ref))
        joined.set(each.ref, await this.#join(each, found.get(each.ref) as Uint8Array, options));
    for (const [ref, bytes] of joined) found.set(ref, bytes);
    return found;
  }

  async readRange(
    ref: BlobRef,
    offset: number,
    length: number,
    options?: StoreCallOptions,
  ): Promise<Uint8Array> {
    checkCallOptions("readRange", options);
    const parsed = this.#parse(ref);
    const end = Math.min(parsed.sizeBytes, offset + length);
    if (!(Number.isInteger(offset) && offset >= 0 && Number.isInteger(length) && length >= 0))
      throw new StoreError(
        "ARGUMENT_INVALID",
        "readRange",
        "offset and length must be integers from 0",
      );
    if (offset >= end) return new Uint8Array();
    if (!parsed.chunked) {
      const whole = (await this.#fetch([parsed], options)).get(parsed.ref) as Uint8Array;
      return whole.subarray(offset, end);
    }
    const wanted: LocatedRef[] = [];
    let first = 0;
    let at = 0;
    for (const chunk of await this.#chunksOf(parsed, options)) {
      if (at + chunk.sizeBytes <= offset) first = at + chunk.sizeBytes;
      else if (at < end) wanted.push(chunk);
      at += chunk.sizeBytes;
    }
    const joined = await this.#concat(wanted, options);
    return joined.subarray(offset - first, end - first);
  }

  async *stream(ref: BlobRef, options?: StoreCallOptions): AsyncGenerator<Uint8Array> {
    checkCallOptions("stream", options);
    const parsed = this.#parse(ref);
    const chunks = parsed.chunked ? await this.#chunksOf(parsed, options) : [parsed];
    for (const chunk of chunks) yield await this.#concat([chunk], options);
  }

  /** The references of the chunks of a content in chunks. */
  async chunksOf(ref: BlobRef, options?: StoreCallOptions): Promise<readonly BlobRef[]> {
    return (await this.#chunksOf(this.#parse(ref), options)).map(({ ref: chunk }) => chunk);
  }

  async #join(
    parsed: LocatedRef,
    list: Uint8Array,
    options?: StoreCallOptions,
  ): Promise<Uint8Array> {
    return await this.#concat(this.#parseList(list, parsed), options);
  }

  async #chunksOf(parsed: LocatedRef, options?: StoreCallOptions): Promise<readonly LocatedRef[]> {
    const list = (await this.#fetch([parsed], options)).get(parsed.ref) as Uint8Array;
    return this.#parseList(list, parsed);
  }

  #parseList(list: Uint8Array, { sizeBytes }: LocatedRef): readonly LocatedRef[] {
    const chunks = toText(list)
      .split("\n")
      .map((ref) => this.#parse(ref));
    const total = chunks.reduce((sum, chunk) => sum + chunk.sizeBytes, 0);
    if (total !== sizeBytes) throw new StoreError("CORRUPT_BLOB", this.#context.subject);
    return chunks;
  }

  async #concat(chunks: readonly LocatedRef[], options?: StoreCallOptions): Promise<Uint8Array> {
    const found = await this.#fetch(chunks, options);
    const [only] = chunks;
    if (chunks.length === 1 && only) return found.get(only.ref) as Uint8Array;
    const joined = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.sizeBytes, 0));
    let at = 0;
    for (const chunk of chunks) {
      joined.set(found.get(chunk.ref) as Uint8Array, at);
      at += chunk.sizeBytes;
    }
    return joined;
  }

  #parse(ref: BlobRef): LocatedRef {
    const parsed = parseRef(ref);
    if (parsed.pool >= this.#pools.length)
      throw new StoreError("MISSING_BLOB", this.#context.subject);
    return parsed;
  }

  /** Fetches and checks blobs. For a content in chunks, it fetches the list of the chunks and not the content. */
  async #fetch(
    refs: readonly LocatedRef[],
    options?: StoreCallOptions,
  ): Promise<Map<BlobRef, Uint8Array>> {
    const found = new Map<BlobRef, Uint8Array>();
    const batches = cut(refs);
    let next = 0;
    const worker = async () => {
      for (let batch = batches[next++]; batch; batch = batches[next++])
        await this.#fetchBatch(batch, found, options);
    };
    await Promise.all(Array.from({ length: Math.min(READS_AHEAD, batches.length) }, worker));
    for (const { ref, sizeBytes } of refs) if (sizeBytes === 0) found.set(ref, new Uint8Array());
    return found;
  }

  async #fetchBatch(
    batch: readonly LocatedRef[],
    found: Map<string, Uint8Array>,
    options?: StoreCallOptions,
  ): Promise<void> {
    const { engine, ciphers, subject } = this.#context;
    // All blobs of a batch are in one pool, and `parse` has checked that it exists.
    const pool = batch[0]?.pool as number;
    const name = this.#pools[pool] as string;
    const cipher = ciphers[pool];
    const stored = await retry(
      () => engine.blobs.get(name, batch, options?.signal),
      patienceOf(this.#context, options),
    );
    for (const ref of batch) {
      const bytes = stored.get(ref.id);
      if (bytes === undefined || cipher === undefined)
        throw new StoreError("MISSING_BLOB", subject);
      const opening = cipher.openBlob(ref.id, bytes, subject);
      const opened = opening instanceof Promise ? await opening : opening;
      if (!ref.chunked && opened.length !== ref.sizeBytes)
        throw new StoreError("CORRUPT_BLOB", subject);
      found.set(ref.ref, opened);
    }
  }
}

/** Cuts blobs into batches of one pool and a bounded size. Leaves out empty contents and repeated references. */
function cut(refs: readonly LocatedRef[]): readonly (readonly LocatedRef[])[] {
  const batches: LocatedRef[][] = [];
  const open = new Map<number, { batch: LocatedRef[]; bytes: number }>();
  const seen = new Set<BlobRef>();
  for (const ref of refs) {
    if (ref.sizeBytes === 0 || seen.has(ref.ref)) continue;
    seen.add(ref.ref);
    // The list of the chunks is small, and its size is not that of the content.
    const sizeBytes = ref.chunked ? 0 : ref.sizeBytes;
    let current = open.get(ref.pool);
    if (current === undefined || current.bytes + sizeBytes > READ_BATCH_BYTES) {
      current = { batch: [], bytes: 0 };
      open.set(ref.pool, current);
      batches.push(current.batch);
    }
    current.batch.push(ref);
    current.bytes += sizeBytes;
  }
  return batches;
}

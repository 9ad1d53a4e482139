import type { BlobAddress, BlobEngine, EngineBlob } from "../engine/engine.js";
import { mapBounded } from "../engine/map-bounded.js";
import { randomName } from "../engine/sha256.js";
import { NamedObjects } from "./named-objects.js";
import type { Storage } from "./storage.js";

const PACK_BYTES = 4 * 1024 * 1024;
/** Two blobs of a pack with at most this between them are read in one request. */
const MAX_GAP_BYTES = 64 * 1024;
const CONCURRENT_CALLS = 16;

/** A storage that can read parts of a value. */
export type RangeStorage = Storage & Required<Pick<Storage, "getRange">>;

/**
 * Stores the blobs of a commit together in packs, for a storage where requests cost more than bytes.
 *
 * The name of a pack is never used twice, so that a deletion cannot delete a blob that was stored again.
 */
export class PackedBlobs extends NamedObjects implements BlobEngine {
  readonly chunkBytes: number = 8 * 1024 * 1024;
  readonly batchBytes: number = PACK_BYTES;
  readonly #storage: RangeStorage;

  constructor(storage: RangeStorage) {
    super(storage, "p");
    this.#storage = storage;
  }

  place(blobs: readonly { readonly sizeBytes: number }[]): readonly string[] {
    const packs: { name: string; sizeBytes: number }[] = [];
    const places = blobs.map(({ sizeBytes }) => {
      let pack = packs.at(-1);
      if (!pack || pack.sizeBytes + sizeBytes > PACK_BYTES) {
        pack = { name: randomName(), sizeBytes: 0 };
        packs.push(pack);
      }
      const offset = pack.sizeBytes;
      pack.sizeBytes += sizeBytes;
      return { pack, offset, sizeBytes };
    });
    return places.map(({ pack, offset, sizeBytes }) =>
      [pack.name, ...[pack.sizeBytes, offset, sizeBytes].map((each) => each.toString(36))].join(
        ".",
      ),
    );
  }

  async put(pool: string, blobs: readonly EngineBlob[], signal?: AbortSignal): Promise<void> {
    const packs = [...groupByPack(blobs)];
    await mapBounded(packs, CONCURRENT_CALLS, async ([pack, parts]) => {
      const end = parts.reduce((most, { offset, length }) => Math.max(most, offset + length), 0);
      const bytes = new Uint8Array(end);
      for (const { blob, offset } of parts) bytes.set(blob.bytes, offset);
      // If this request is repeated, it finds the pack that the first attempt stored.
      await this.#storage.add(`p/${pool}/${pack}`, bytes, signal);
    });
  }

  async get(
    pool: string,
    blobs: readonly BlobAddress[],
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, Uint8Array>> {
    const found = new Map<string, Uint8Array>();
    const ranges = [...groupByPack(blobs)].flatMap(([pack, parts]) =>
      joinRanges(parts).map((range) => ({ pack, ...range })),
    );
    await mapBounded(ranges, CONCURRENT_CALLS, async ({ pack, parts, offset, length }) => {
      const bytes = await this.#storage.getRange(`p/${pool}/${pack}`, offset, length, signal);
      for (const { blob, offset: at, length: size } of parts)
        if (bytes && at - offset + size <= bytes.length)
          found.set(blob.id, bytes.subarray(at - offset, at - offset + size));
    });
    return found;
  }

  objectOf({ at = "" }: BlobAddress): string {
    return at.split(".").slice(0, 2).join(".");
  }
}

interface Part<Blob> {
  readonly blob: Blob;
  readonly offset: number;
  readonly length: number;
}

function groupByPack<Blob extends BlobAddress>(
  blobs: readonly Blob[],
): ReadonlyMap<string, readonly Part<Blob>[]> {
  const packs = new Map<string, Part<Blob>[]>();
  for (const blob of blobs) {
    const [name = "", size = "0", offset = "0", length = "0"] = (blob.at ?? "").split(".");
    const pack = `${name}.${size}`;
    const parts = packs.get(pack) ?? [];
    packs.set(pack, parts);
    parts.push({
      blob,
      offset: Number.parseInt(offset, 36),
      length: Number.parseInt(length, 36),
    });
  }
  return packs;
}

/** Ranges that together cover all parts, with small gaps. */
function joinRanges<Blob>(parts: readonly Part<Blob>[]) {
  const ranges: { parts: Part<Blob>[]; offset: number; length: number }[] = [];
  for (const part of [...parts].sort((one, other) => one.offset - other.offset)) {
    const last = ranges.at(-1);
    if (last && part.offset - (last.offset + last.length) <= MAX_GAP_BYTES) {
      last.parts.push(part);
      last.length = Math.max(last.length, part.offset + part.length - last.offset);
    } else ranges.push({ parts: [part], offset: part.offset, length: part.length });
  }
  return ranges;
}

import { type BlobRef, formatRef } from "../engine/blob-ref.js";
import type { EngineBlob } from "../engine/engine.js";
import { toBytes } from "../engine/frames.js";
import { sha256 } from "../engine/sha256.js";
import { StoreError } from "../engine/store-error.js";
import type { BlobBatch, NewContent } from "./head.js";
import { type HeadContext, ownCipher } from "./head-context.js";

/** A batch with the bytes that its commit stores. */
export interface PlacedBatch extends BlobBatch {
  readonly blobs: readonly EngineBlob[];
  /** The references of the contents that are stored after the commit, by the id of the content. */
  readonly known: ReadonlyMap<string, BlobRef>;
  /** The references of the chunks of new large contents, by the reference of the content. */
  readonly chunks: ReadonlyMap<BlobRef, readonly BlobRef[]>;
}

const CONTENT_ID = /^[0-9a-f]{64}$/;

/** A content that has no reference yet. */
interface Piece {
  readonly contentId: string;
  readonly bytes: Uint8Array;
}

/** Gives references to contents: hashes them, cuts large ones into chunks and chooses their place. */
export class ContentPlacer {
  readonly #context: HeadContext;
  /** The number of the head's own pool. */
  readonly #pool: number;
  readonly #stored: ReadonlyMap<string, BlobRef>;

  constructor(context: HeadContext, pool: number, stored: ReadonlyMap<string, BlobRef>) {
    this.#context = context;
    this.#pool = pool;
    this.#stored = stored;
  }

  async place(contents: readonly NewContent[]): Promise<PlacedBatch> {
    const { chunkBytes } = this.#context.engine.blobs;
    const known = new Map<string, BlobRef>();
    const whole = await piecesOf(contents);
    const isLarge = ({ bytes }: Piece) => bytes.length > chunkBytes;
    const isNew = ({ contentId }: Piece) => !this.#stored.has(contentId);
    const chunks = new Map<Piece, readonly Piece[]>();
    for (const piece of whole)
      if (isLarge(piece) && isNew(piece)) chunks.set(piece, await cut(piece.bytes, chunkBytes));
    const small = whole.filter((piece) => !isLarge(piece));
    const blobs = await this.#placeBlobs([...small, ...[...chunks.values()].flat()], known);
    const lists = [...chunks].map(([{ contentId, bytes }, parts]) => ({
      contentId,
      sizeBytes: bytes.length,
      refs: parts.map((part) => this.#find(part.contentId, known)),
    }));
    blobs.push(...(await this.#placeLists(lists, known)));
    return {
      refs: whole.map(({ contentId }) => this.#find(contentId, known)),
      contentIds: whole.map(({ contentId }) => contentId),
      newBytes: blobs.reduce((sum, { bytes }) => sum + bytes.length, 0),
      blobs,
      known,
      chunks: new Map(lists.map((list) => [this.#find(list.contentId, known), list.refs])),
    };
  }

  /** Gives a reference to a content whose chunks are stored already, with `storedBytes`. */
  async placeChunked(
    contentId: string,
    sizeBytes: number,
    refs: readonly BlobRef[],
    storedBytes: number,
  ): Promise<PlacedBatch> {
    const known = new Map<string, BlobRef>();
    const blobs = await this.#placeLists([{ contentId, sizeBytes, refs }], known);
    const ref = this.#find(contentId, known);
    return {
      refs: [ref],
      contentIds: [contentId],
      newBytes: blobs.reduce((sum, { bytes }) => sum + bytes.length, storedBytes),
      blobs,
      known,
      chunks: new Map([[ref, refs]]),
    };
  }

  #find(contentId: string, known: ReadonlyMap<string, BlobRef>): BlobRef {
    // Every content is known from before or was placed by now.
    return (this.#stored.get(contentId) ?? known.get(contentId)) as BlobRef;
  }

  async #placeBlobs(pieces: readonly Piece[], known: Map<string, BlobRef>): Promise<EngineBlob[]> {
    const fresh = new Map<string, Piece>();
    for (const piece of pieces)
      if (!this.#stored.has(piece.contentId)) fresh.set(piece.contentId, piece);
    const sealed: { piece: Piece; id: string; bytes: Uint8Array }[] = [];
    const cipher = ownCipher(this.#context);
    for (const piece of fresh.values()) {
      const blobId = cipher.blobId(piece.contentId);
      const id = typeof blobId === "string" ? blobId : await blobId;
      const isEmpty = piece.bytes.length === 0;
      // An empty content is not stored, because its reference contains its size.
      if (isEmpty) {
        known.set(piece.contentId, this.#format(false, 0, id, undefined));
        continue;
      }
      const sealing = cipher.sealBlob(id, piece.bytes);
      const bytes = sealing instanceof Promise ? await sealing : sealing;
      sealed.push({ piece, id, bytes });
    }
    return this.#locate(sealed, ({ piece, id }, at) => {
      known.set(piece.contentId, this.#format(false, piece.bytes.length, id, at));
    });
  }

  async #placeLists(
    lists: readonly {
      readonly contentId: string;
      readonly sizeBytes: number;
      readonly refs: readonly BlobRef[];
    }[],
    known: Map<string, BlobRef>,
  ): Promise<EngineBlob[]> {
    const cipher = ownCipher(this.#context);
    const sealed = await Promise.all(
      lists.map(async ({ contentId, sizeBytes, refs }) => {
        const list = toBytes(refs.join("\n"));
        const id = await cipher.blobId(await sha256(list));
        return { contentId, sizeBytes, id, bytes: await cipher.sealBlob(id, list) };
      }),
    );
    return this.#locate(sealed, ({ contentId, sizeBytes, id }, at) => {
      known.set(contentId, this.#format(true, sizeBytes, id, at));
    });
  }

  #locate<Sealed extends { readonly id: string; readonly bytes: Uint8Array }>(
    sealed: readonly Sealed[],
    located: (each: Sealed, at: string | undefined) => void,
  ): EngineBlob[] {
    const places = this.#context.engine.blobs.place(
      sealed.map(({ id, bytes }) => ({ id, sizeBytes: bytes.length })),
    );
    return sealed.map((each, index) => {
      located(each, places[index]);
      return { id: each.id, at: places[index], bytes: each.bytes };
    });
  }

  #format(chunked: boolean, sizeBytes: number, id: string, at: string | undefined): BlobRef {
    return formatRef({ chunked, pool: this.#pool, sizeBytes, id, at });
  }
}

async function piecesOf(contents: readonly NewContent[]): Promise<readonly Piece[]> {
  const pieces: Piece[] = [];
  if (!Array.isArray(contents) || !contents.every((each) => each?.bytes instanceof Uint8Array))
    throw new StoreError("ARGUMENT_INVALID", "place", "expected an array of { bytes: Uint8Array }");
  for (const { bytes, contentId } of contents) {
    if (contentId !== undefined && !(typeof contentId === "string" && CONTENT_ID.test(contentId)))
      throw new StoreError(
        "ARGUMENT_INVALID",
        "place",
        "contentId must be SHA-256 in 64 hexadecimal digits",
      );
    const id = contentId ?? sha256(bytes);
    pieces.push({ bytes, contentId: typeof id === "string" ? id : await id });
  }
  return pieces;
}

function cut(bytes: Uint8Array, chunkBytes: number): Promise<readonly Piece[]> {
  const count = Math.ceil(bytes.length / chunkBytes);
  return piecesOf(
    Array.from({ length: count }, (_, index) => ({
      bytes: bytes.subarray(index * chunkBytes, (index + 1) * chunkBytes),
    })),
  );
}

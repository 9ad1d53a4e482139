import { concatBytes, copyBytes } from "../content/bytes.js";
import { SnapshotError } from "../snapshots/snapshot-error.js";

/** Reads an archive that arrives in chunks of any size, by a given number of bytes. */
export class TarBlocks {
  readonly #pieces: AsyncIterator<Uint8Array> | Iterator<Uint8Array>;
  #rest: Uint8Array = new Uint8Array();

  constructor(archive: Iterable<Uint8Array> | AsyncIterable<Uint8Array>) {
    const isIterable = typeof archive === "object" && archive !== null;
    if (!isIterable || !(Symbol.asyncIterator in archive || Symbol.iterator in archive))
      throw new SnapshotError("INVALID_ARCHIVE", { reason: "it must be an iterable of bytes" });
    this.#pieces =
      Symbol.asyncIterator in archive
        ? archive[Symbol.asyncIterator]()
        : archive[Symbol.iterator]();
  }

  /**
   * The next `length` bytes; `undefined` at the end of the archive. Memory is allocated as the bytes arrive, so a wrong
   * size in a header costs nothing.
   */
  async take(length: number): Promise<Uint8Array | undefined> {
    const parts: Uint8Array[] = [];
    let missing = length;
    while (missing > 0) {
      if (this.#rest.length === 0) {
        const { done, value } = await this.#pieces.next();
        if (done && parts.length === 0) return undefined;
        if (done) throw new SnapshotError("INVALID_ARCHIVE", { reason: "it ends too early" });
        if (!(value instanceof Uint8Array))
          throw new SnapshotError("INVALID_ARCHIVE", { reason: "its chunks must be bytes" });
        this.#rest = value;
      }
      const part = this.#rest.subarray(0, missing);
      this.#rest = this.#rest.subarray(part.length);
      missing -= part.length;
      if (part.length > 0) parts.push(part);
    }
    const [only] = parts;
    // Copied, because the producer may reuse the chunk's memory.
    return parts.length === 1 && only !== undefined ? copyBytes(only) : concatBytes(parts);
  }

  async close(): Promise<void> {
    await this.#pieces.return?.();
  }
}

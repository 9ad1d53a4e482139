const CHUNK_SIZE = 1024;

/**
 * An immutable list that shares memory with its other versions.
 *
 * Versions that extend each other append to the same chunks and differ only in their length. When two versions diverge
 * (after a restore), the later one copies the list of chunks and the last chunk, but no items.
 */
export class ItemList<T> {
  static empty<T>(): ItemList<T> {
    return new ItemList<T>([], 0);
  }

  static of<T>(items: readonly T[]): ItemList<T> {
    return ItemList.empty<T>().append(items);
  }

  readonly length: number;
  readonly #chunks: T[][];
  #array: readonly T[] | undefined;

  private constructor(chunks: T[][], length: number) {
    this.#chunks = chunks;
    this.length = length;
  }

  /** The item at `index`. A negative index counts from the end. */
  at(index: number): T | undefined {
    const position = index < 0 ? this.length + index : index;
    if (!(position >= 0 && position < this.length)) return undefined;
    return this.#chunks[Math.floor(position / CHUNK_SIZE)]?.[position % CHUNK_SIZE];
  }

  append(items: readonly T[]): ItemList<T> {
    if (items.length === 0) return this;
    const chunks = this.#growableChunks();
    let last = chunks.at(-1);
    for (const item of items) {
      if (!last || last.length === CHUNK_SIZE) {
        last = [];
        chunks.push(last);
      }
      last.push(item);
    }
    return new ItemList(chunks, this.length + items.length);
  }

  /** A new list with the item at `index` replaced. The index must exist. */
  with(index: number, item: T): ItemList<T> {
    const chunkIndex = Math.floor(index / CHUNK_SIZE);
    const chunks = this.#ownChunks();
    const chunk = chunks[chunkIndex]?.slice() ?? [];
    chunk[index % CHUNK_SIZE] = item;
    chunks[chunkIndex] = chunk;
    return new ItemList(chunks, this.length);
  }

  /** The first index whose item matches, or -1. */
  findIndex(predicate: (item: T) => boolean): number {
    let index = 0;
    for (const item of this) {
      if (predicate(item)) return index;
      index++;
    }
    return -1;
  }

  /** All items as a frozen array. Returns the same array each time. */
  toArray(): readonly T[] {
    this.#array ??= Object.freeze(this.#chunks.flat().slice(0, this.length));
    return this.#array;
  }

  *[Symbol.iterator](): Generator<T, void> {
    let left = this.length;
    for (const chunk of this.#chunks) {
      const end = Math.min(chunk.length, left);
      for (let index = 0; index < end; index++) {
        // `index` is below the chunk's length, and chunks have no holes.
        yield chunk[index] as T;
      }
      left -= end;
      if (left === 0) return;
    }
  }

  /** This version's chunks if it is the longest version that shares them, else a copy. */
  #growableChunks(): T[][] {
    const chunks = this.#chunks;
    const held = chunks.length === 0 ? 0 : (chunks.length - 1) * CHUNK_SIZE + lastLength(chunks);
    return held === this.length ? chunks : this.#ownChunks();
  }

  #ownChunks(): T[][] {
    const chunks = this.#chunks.slice(0, Math.ceil(this.length / CHUNK_SIZE));
    const last = chunks.at(-1);
    const used = this.length - (chunks.length - 1) * CHUNK_SIZE;
    if (last && last.length !== used) chunks[chunks.length - 1] = last.slice(0, used);
    return chunks;
  }
}

function lastLength(chunks: readonly (readonly unknown[])[]): number {
  return chunks.at(-1)?.length ?? 0;
}

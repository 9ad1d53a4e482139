/** A larger chunk is split. Small enough to copy in well under a microsecond. */
const MAX_NAMES_PER_CHUNK = 64;

/**
 * The children of a directory, sorted by name, with cheap copies of old versions.
 *
 * Chunks that belong to the map's owner are changed in place; all others are copied first, so a version with
 * another owner never changes. A copy costs the changed chunk and the list of chunks, not the whole directory.
 */
export class NameMap<Value> {
  readonly owner: number;
  readonly #chunks: Chunk<Value>[];
  #size: number;

  constructor(owner: number, chunks: Chunk<Value>[] = [], size = 0) {
    this.owner = owner;
    this.#chunks = chunks;
    this.#size = size;
  }

  get size(): number {
    return this.#size;
  }

  get(name: string): Value | undefined {
    const chunk = this.#chunks[this.#chunkIndex(name)];
    if (chunk === undefined) return undefined;
    const index = lowerBound(chunk.names, name);
    return chunk.names[index] === name ? chunk.values[index] : undefined;
  }

  /** A copy that another owner may change. */
  copyFor(owner: number): NameMap<Value> {
    return new NameMap(owner, this.#chunks.slice(), this.#size);
  }

  /** Only for the owner. */
  set(name: string, value: Value): void {
    const chunkIndex = Math.max(0, this.#chunkIndex(name));
    const names = this.#chunks[chunkIndex]?.names ?? [];
    const index = lowerBound(names, name);
    if (names[index] === name) {
      this.#ownValues(chunkIndex)[index] = value;
      return;
    }
    const chunk = this.#ownChunk(chunkIndex);
    chunk.names.splice(index, 0, name);
    chunk.values.splice(index, 0, value);
    this.#size++;
    if (chunk.names.length > MAX_NAMES_PER_CHUNK) this.#split(chunkIndex, chunk);
  }

  /** Only for the owner. */
  delete(name: string): void {
    const chunkIndex = this.#chunkIndex(name);
    if (this.get(name) === undefined) return;
    const chunk = this.#ownChunk(chunkIndex);
    const index = lowerBound(chunk.names, name);
    chunk.names.splice(index, 1);
    chunk.values.splice(index, 1);
    this.#size--;
    if (chunk.names.length === 0) this.#chunks.splice(chunkIndex, 1);
  }

  /** Every child in the order of JavaScript's string comparison. */
  forEach(visit: (value: Value, name: string) => void): void {
    for (const { names, values } of this.#chunks)
      for (let index = 0; index < names.length; index++)
        // Both arrays of a chunk have the same length.
        visit(values[index] as Value, names[index] as string);
  }

  /** Visits the names at which two maps differ, in order. Skips chunks that both share. */
  forEachUnlike(
    other: NameMap<Value>,
    visit: (mine: Value | undefined, theirs: Value | undefined, name: string) => void,
  ): void {
    if (this.#hasSameNames(other)) {
      this.#forEachUnlikeValue(other, visit);
      return;
    }
    const theirChunks = new Set(other.#chunks);
    const shared = new Set(this.#chunks.filter((chunk) => theirChunks.has(chunk)));
    const mine = entriesOf(this.#chunks, shared);
    const theirs = entriesOf(other.#chunks, shared);
    let left = 0;
    let right = 0;
    while (left < mine.length || right < theirs.length) {
      const a = mine[left];
      const b = theirs[right];
      if (a && (!b || a.name < b.name)) visit(a.value, undefined, a.name);
      else if (b && (!a || b.name < a.name)) visit(undefined, b.value, b.name);
      else if (a && b && a.value !== b.value) visit(a.value, b.value, a.name);
      if (a && (!b || a.name <= b.name)) left++;
      if (b && (!a || b.name <= a.name)) right++;
    }
  }

  /**
   * Whether both share their names. Then only values were replaced, which is the most frequent change. A stored
   * filesystem compares two versions at each commit, and a list of all names would be a third of its time.
   */
  #hasSameNames(other: NameMap<Value>): boolean {
    return (
      this.#chunks.length === other.#chunks.length &&
      this.#chunks.every(({ names }, index) => names === other.#chunks[index]?.names)
    );
  }

  #forEachUnlikeValue(
    other: NameMap<Value>,
    visit: (mine: Value, theirs: Value, name: string) => void,
  ): void {
    for (const [at, { names, values }] of this.#chunks.entries()) {
      // Both maps have the same number of chunks, with the same names.
      const theirs = other.#chunks[at]?.values as Value[];
      if (values === theirs) continue;
      for (let index = 0; index < names.length; index++)
        if (values[index] !== theirs[index])
          visit(values[index] as Value, theirs[index] as Value, names[index] as string);
    }
  }

  /** The last chunk that starts at or before `name`; -1 when all start after it. */
  #chunkIndex(name: string): number {
    let low = 0;
    let high = this.#chunks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      // No chunk is ever left empty.
      if ((this.#chunks[middle]?.names[0] as string) <= name) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  #ownChunk(index: number): Chunk<Value> {
    const chunk = this.#chunks[index];
    if (chunk?.owner === this.owner && chunk.ownsNames) return chunk;
    const names = chunk ? chunk.names.slice() : [];
    const values = chunk ? this.#ownValues(index) : [];
    const owned = new Chunk(this.owner, names, true, values);
    this.#chunks[index] = owned;
    return owned;
  }

  /**
   * The values of an existing chunk, for replacing one. Replacing a child is far more common than adding or removing
   * one.
   */
  #ownValues(index: number): Value[] {
    const chunk = this.#chunks[index] as Chunk<Value>;
    if (chunk.owner === this.owner) return chunk.values;
    const values = chunk.values.slice();
    this.#chunks[index] = new Chunk(this.owner, chunk.names, false, values);
    return values;
  }

  #split(index: number, chunk: Chunk<Value>): void {
    // Filling a directory in order splits the last chunk: leave it nearly full.
    const isLast = index === this.#chunks.length - 1;
    const at = isLast ? chunk.names.length - 1 : chunk.names.length >>> 1;
    const names = chunk.names.splice(at);
    const values = chunk.values.splice(at);
    this.#chunks.splice(index + 1, 0, new Chunk(this.owner, names, true, values));
  }
}

class Chunk<Value> {
  /** Only the owner may change the values. */
  readonly owner: number;
  readonly names: string[];
  /** Whether the owner may change the names too. If not, they are shared with another version. */
  readonly ownsNames: boolean;
  readonly values: Value[];

  constructor(owner: number, names: string[], ownsNames: boolean, values: Value[]) {
    this.owner = owner;
    this.names = names;
    this.ownsNames = ownsNames;
    this.values = values;
  }
}

function entriesOf<Value>(
  chunks: readonly Chunk<Value>[],
  except: ReadonlySet<Chunk<Value>>,
): { name: string; value: Value }[] {
  return chunks
    .filter((chunk) => !except.has(chunk))
    .flatMap(({ names, values }) =>
      // Both arrays of a chunk have the same length.
      names.map((name, index) => ({ name, value: values[index] as Value })),
    );
}

/** The index of the first name that is greater than or equal to `name`. */
function lowerBound(names: readonly string[], name: string): number {
  let low = 0;
  let high = names.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    // `middle` is below the length.
    if ((names[middle] as string) < name) low = middle + 1;
    else high = middle;
  }
  return low;
}

import { readdirSync } from "node:fs";
import { tolerating } from "../process/from-node-error.js";
import { LooseObjects } from "./loose-objects.js";
import {
  type ObjectFormat,
  type ObjectType,
  objectId,
  type StoredObject,
} from "./object-format.js";
import { PackReader } from "./pack-reader.js";
import { PackWriter } from "./pack-writer.js";

/** This many or more new objects are written to a pack. */
const MIN_PACKED = 200;
/** Keeps offsets in a pack below 2^31. */
const MAX_PACK_BYTES = 1024 * 1024 * 1024;

export interface ObjectDatabaseOptions {
  readonly format: ObjectFormat;
  readonly fsync: boolean;
  /** The mode of new directories. @default accessible only to this user */
  readonly directoryMode?: number | undefined;
  /** Other object directories that are only read, such as a repository's alternates. @default none */
  readonly alternates?: readonly string[] | undefined;
}

/** Objects by the hash of their content. An object is written once and never changed. */
export class ObjectDatabase {
  readonly directory: string;
  readonly format: ObjectFormat;
  readonly loose: LooseObjects;
  readonly #fsync: boolean;
  readonly #alternates: readonly ObjectDatabase[];
  #packs = new Map<string, PackReader>();
  /** Objects that this process knows to exist. */
  #known = new Set<string>();
  /** Objects that are damaged. They are written again when the same content is put. */
  readonly #damaged = new Set<string>();
  #pending: { id: string; type: ObjectType; content: Uint8Array }[] = [];
  #pack: PackWriter | undefined;
  #putCount = 0;

  constructor(directory: string, options: ObjectDatabaseOptions) {
    const { format, fsync, alternates = [] } = options;
    this.directory = directory;
    this.format = format;
    this.#fsync = fsync;
    this.loose = new LooseObjects(directory, options);
    this.#alternates = alternates.map((path) => new ObjectDatabase(path, { format, fsync }));
    this.refresh();
  }

  get packs(): ReadonlyMap<string, PackReader> {
    return this.#packs;
  }

  close(): void {
    this.discard();
    for (const pack of this.#packs.values()) pack.close();
    this.#packs.clear();
    for (const alternate of this.#alternates) alternate.close();
  }

  /** Clears the cache of known objects and reads the list of packs again. */
  refresh(): void {
    this.#known = new Set();
    const names = new Set(packNames(`${this.directory}/pack`));
    for (const [name, pack] of this.#packs) {
      if (names.has(name)) continue;
      pack.close();
      this.#packs.delete(name);
    }
    for (const name of names) this.#openPack(name);
  }

  has(id: string): boolean {
    if (this.#known.has(id)) return true;
    if (this.#damaged.has(id)) return false;
    const found =
      this.#inPack(id) || this.loose.has(id) || this.#alternates.some((other) => other.has(id));
    if (found) this.#known.add(id);
    return found;
  }

  /** Returns the object with this ID after checking its hash, or `undefined` if it is missing or damaged. */
  read(id: string): StoredObject | undefined {
    const found = this.#readFresh(id);
    if (found !== undefined) return found;
    // Another process may have moved it into a pack in the meantime.
    this.refresh();
    const again = this.#readFresh(id);
    if (again === undefined) {
      this.#known.delete(id);
      this.#damaged.add(id);
    }
    return again;
  }

  /** The size of the object on disk. */
  sizeBytes(id: string): number {
    for (const pack of this.#packs.values()) {
      const size = pack.sizeBytes(id);
      if (size !== undefined) return size;
    }
    return this.loose.sizeBytes(id) ?? 0;
  }

  /** The size of a large blob that can be read in parts. `undefined` for objects that are read as a whole. */
  largeBytes(id: string): number | undefined {
    return this.loose.largeBytes(id);
  }

  /** Stores a blob that comes in parts. Other readers find it immediately. */
  async putParts(
    sizeBytes: number,
    parts: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  ): Promise<string> {
    const id = await this.loose.writeParts(sizeBytes, parts);
    this.adopt(id);
    return id;
  }

  /** Adds an object and returns its ID. Other readers find it only after `settle`. */
  put(type: ObjectType, content: Uint8Array): string {
    const id = objectId(this.format, type, content);
    if (this.has(id)) return id;
    this.#known.add(id);
    this.#putCount++;
    if (this.#pack !== undefined) this.#addToPack(this.#pack, id, type, content);
    else this.#pending.push({ id, type, content: Uint8Array.from(content) });
    if (this.#pack === undefined && this.#pending.length >= MIN_PACKED) this.#startPack();
    return id;
  }

  /** Returns the number of new objects since the last call. */
  takePutCount(): number {
    const count = this.#putCount;
    this.#putCount = 0;
    return count;
  }

  /** Records that the object with this ID was written without `put`. */
  adopt(id: string): void {
    this.#known.add(id);
    this.#damaged.delete(id);
  }

  /** Writes all objects that were put. Afterwards every process can read them. */
  settle(): void {
    for (const { id, type, content } of this.#pending) this.loose.write(id, type, content);
    this.#pending = [];
    const finished = this.#pack?.finish();
    this.#pack = undefined;
    if (finished !== undefined) this.#openPack(finished.name);
    this.#damaged.clear();
  }

  /** Drops objects that were put and not settled. */
  discard(): void {
    if (this.#pending.length === 0 && this.#pack === undefined) return;
    this.#pending = [];
    this.#pack?.discard();
    this.#pack = undefined;
    this.#known = new Set();
  }

  #startPack(): void {
    const pack = new PackWriter(`${this.directory}/pack`, this.format, this.#fsync);
    this.#pack = pack;
    for (const { id, type, content } of this.#pending) pack.add(id, type, content);
    this.#pending = [];
  }

  #addToPack(pack: PackWriter, id: string, type: ObjectType, content: Uint8Array): void {
    pack.add(id, type, content);
    if (pack.sizeBytes < MAX_PACK_BYTES) return;
    this.#pack = undefined;
    const finished = pack.finish();
    if (finished !== undefined) this.#openPack(finished.name);
  }

  #openPack(name: string): void {
    if (this.#packs.has(name)) return;
    const path = `${this.directory}/pack/${name}`;
    const pack = tolerating(["ENOENT"], () => PackReader.open(path, this.format), undefined);
    if (pack !== undefined) this.#packs.set(name, pack);
  }

  #inPack(id: string): boolean {
    for (const pack of this.#packs.values()) if (pack.index.find(id) !== undefined) return true;
    return false;
  }

  #readFresh(id: string): StoredObject | undefined {
    const findBase = (base: string) => this.read(base);
    for (const pack of this.#packs.values()) {
      const object = pack.read(id, findBase);
      if (object !== undefined) return object;
    }
    const loose = this.loose.read(id);
    if (loose !== undefined) return loose;
    for (const alternate of this.#alternates) {
      const object = alternate.read(id);
      if (object !== undefined) return object;
    }
    return undefined;
  }
}

function packNames(directory: string): readonly string[] {
  const files = tolerating(["ENOENT", "ENOTDIR"], () => readdirSync(directory), []);
  return files.filter((file) => file.endsWith(".idx")).map((file) => file.slice(0, -4));
}

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

/** From this many new objects on they go into a pack. */
const LEAST_PACKED = 200;
/** A pack stays small enough for offsets of 31 bits. */
const MOST_PACK_BYTES = 1024 * 1024 * 1024;

export interface ObjectDatabaseOptions {
  readonly format: ObjectFormat;
  readonly fsync: boolean;
  /** The mode of directories that are made. @default for us alone */
  readonly directoryMode?: number | undefined;
  /** Other object directories that are only read, such as a repository's alternates. @default none */
  readonly alternates?: readonly string[] | undefined;
}

/** Objects by the hash of their content: written once, never changed. */
export class ObjectDatabase {
  readonly directory: string;
  readonly format: ObjectFormat;
  readonly loose: LooseObjects;
  readonly #fsync: boolean;
  readonly #alternates: readonly ObjectDatabase[];
  #packs = new Map<string, PackReader>();
  /** Seen to be there by this process. */
  #known = new Set<string>();
  /** Found to be damaged: to be written again when their content comes by. */
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

  /** Forgets what it believes to be there and looks at the packs again. */
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

  /** The object with this name, its hash checked; `undefined` when it is missing or damaged. */
  read(id: string): StoredObject | undefined {
    const found = this.#readFresh(id);
    if (found !== undefined) return found;
    // Somebody may have put it into a pack meanwhile.
    this.refresh();
    const again = this.#readFresh(id);
    if (again === undefined) {
      this.#known.delete(id);
      this.#damaged.add(id);
    }
    return again;
  }

  /** What the object takes on disk. */
  sizeBytes(id: string): number {
    for (const pack of this.#packs.values()) {
      const size = pack.sizeBytes(id);
      if (size !== undefined) return size;
    }
    return this.loose.sizeBytes(id) ?? 0;
  }

  /** Takes an object in and answers with its name. It is to be found only after `settle`. */
  put(type: ObjectType, content: Uint8Array): string {
    const id = objectId(this.format, type, content);
    if (this.has(id)) return id;
    this.#known.add(id);
    this.#putCount++;
    if (this.#pack !== undefined) this.#addToPack(this.#pack, id, type, content);
    else this.#pending.push({ id, type, content: Uint8Array.from(content) });
    if (this.#pack === undefined && this.#pending.length >= LEAST_PACKED) this.#startPack();
    return id;
  }

  /** How many objects were new since this was last asked. */
  takePutCount(): number {
    const count = this.#putCount;
    this.#putCount = 0;
    return count;
  }

  /** Says that the object with this name has been written by other means. */
  adopt(id: string): void {
    this.#known.add(id);
    this.#damaged.delete(id);
  }

  /** Writes what was put. After it everything is there for whoever looks. */
  settle(): void {
    for (const { id, type, content } of this.#pending) this.loose.write(id, type, content);
    this.#pending = [];
    const finished = this.#pack?.finish();
    this.#pack = undefined;
    if (finished !== undefined) this.#openPack(finished.name);
    this.#damaged.clear();
  }

  /** Gives up what was put and not settled. */
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
    if (pack.sizeBytes < MOST_PACK_BYTES) return;
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

import { type Filesystem, isFilesystemError } from "@wink/filesystem";
import { parse as parseToml } from "smol-toml";
import { parse as parseYaml } from "yaml";
import { nextTurn } from "../../reply/step-counter.js";

/** The metadata of a file, before its content is read. */
export interface ScannedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Changes whenever the content changes. */
  readonly revision: string;
}

/** The read limits of one digest, because a workspace can contain any number of manifests of any size. */
export interface ReadLimits {
  readonly maxReadFileBytes: number;
  readonly maxReadFiles: number;
  readonly maxReadTotalBytes: number;
}

/** A hostile text of this length takes the parser about 50 ms. Manifests are far shorter. */
const MAX_TOML_CHARACTERS = 96 * 1024;
const MAX_YAML_CHARACTERS = 16 * 1024;

/** Files that were not read because of the limits. */
export interface UnreadFiles {
  readonly count: number;
  readonly sizeBytes: number;
}

/** The files of a project, in which the ecosystems search for their manifests. */
export class ProjectFiles {
  readonly files: readonly ScannedFile[];
  readonly #filesystem: Filesystem;
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #texts = new Map<string, Promise<string>>();
  #filesRead = 0;
  #bytesRead = 0;
  readonly #limits: ReadLimits;
  #unread: UnreadFiles = { count: 0, sizeBytes: 0 };

  constructor(files: readonly ScannedFile[], filesystem: Filesystem, limits: ReadLimits) {
    this.files = files;
    this.#limits = limits;
    this.#filesystem = filesystem;
    this.#sizes = new Map(files.map(({ path, sizeBytes }) => [path, sizeBytes]));
  }

  get unread(): UnreadFiles {
    return this.#unread;
  }

  has(path: string): boolean {
    return this.#sizes.has(path);
  }

  /** Returns the first of these paths that exists. */
  first(...paths: readonly string[]): string | undefined {
    return paths.find((path) => this.has(path));
  }

  /** Returns the paths that match, in order. */
  matching(pattern: RegExp): readonly string[] {
    return this.files.filter(({ path }) => pattern.test(path)).map(({ path }) => path);
  }

  /** Returns the text of a file. Empty if it does not exist, is not text, or exceeds the limits. */
  read(path: string): Promise<string> {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const text = this.#load(path);
    this.#texts.set(path, text);
    return text;
  }

  /** Parses a JSON file. Returns an empty object if it is not a JSON object. */
  async readJson(path: string): Promise<Fields> {
    return attempt(JSON.parse, await this.read(path));
  }

  /** Parses a TOML file. Returns an empty object if it is not TOML, or too long. */
  async readToml(path: string): Promise<Fields> {
    const text = await this.read(path);
    return text.length > MAX_TOML_CHARACTERS ? {} : attempt(parseToml, text);
  }

  /** Parses a YAML file. Returns an empty object if it is not a YAML mapping, or too long. */
  async readYaml(path: string): Promise<Fields> {
    const text = await this.read(path);
    return text.length > MAX_YAML_CHARACTERS ? {} : attempt(parseYaml, text);
  }

  /** Returns the texts of these files, as far as the limits allow. */
  async readAll(paths: readonly string[]): Promise<readonly string[]> {
    const texts: string[] = [];
    for (const path of paths) texts.push(await this.read(path));
    return texts;
  }

  async #load(path: string): Promise<string> {
    const sizeBytes = this.#sizes.get(path);
    if (sizeBytes === undefined) return "";
    const { maxReadFileBytes, maxReadFiles, maxReadTotalBytes } = this.#limits;
    if (
      sizeBytes > maxReadFileBytes ||
      this.#filesRead >= maxReadFiles ||
      this.#bytesRead + sizeBytes > maxReadTotalBytes
    ) {
      const { count, sizeBytes: before } = this.#unread;
      this.#unread = { count: count + 1, sizeBytes: before + sizeBytes };
      return "";
    }
    this.#filesRead++;
    this.#bytesRead += sizeBytes;
    // The caller searches each text after the read, so yield to the event loop before each one.
    await nextTurn();
    try {
      return (await this.#filesystem.read(path, { limit: 100_000 })).content;
    } catch (error) {
      // Ignore a file that is not text or was deleted in the meantime.
      if (isFilesystemError(error)) return "";
      throw error;
    }
  }
}

/** The fields of a parsed manifest. */
export type Fields = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The table at a path of names; empty if there is none. */
export function recordIn(value: Fields, ...names: readonly string[]): Fields {
  let found: unknown = value;
  for (const name of names)
    found = isRecord(found) && Object.hasOwn(found, name) ? found[name] : undefined;
  return isRecord(found) ? found : {};
}

/** The tables in the table of this name. */
export function recordsIn(value: Fields, ...names: readonly string[]): readonly Fields[] {
  return Object.values(recordIn(value, ...names)).filter(isRecord);
}

export function keysOf(value: Fields): readonly string[] {
  return Object.keys(value);
}

/** The texts in a list of any values. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "string") : [];
}

function attempt(parse: (text: string) => unknown, text: string): Fields {
  try {
    const value = parse(text);
    return isRecord(value) ? value : {};
  } catch {
    // A manifest that cannot be parsed adds nothing to the digest.
    return {};
  }
}

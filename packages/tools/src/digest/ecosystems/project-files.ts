import { type Filesystem, isFilesystemError } from "@wink/filesystem";
import { nextTurn } from "../../reply/step-counter.js";

/** The metadata of a file, before its content is read. */
export interface ScannedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Changes whenever the content changes. */
  readonly revision: string;
}

/** The read limits of one digest, because a workspace can contain any number of manifests of any size. */
export const DIGEST_READS = Object.freeze({
  maxFileBytes: 256 * 1024,
  maxFiles: 200,
  maxTotalBytes: 1024 * 1024,
});

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
  #unread: UnreadFiles = { count: 0, sizeBytes: 0 };

  constructor(files: readonly ScannedFile[], filesystem: Filesystem) {
    this.files = files;
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
  async readJson(path: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      const value: unknown = JSON.parse(await this.read(path));
      return isRecord(value) ? value : {};
    } catch {
      return {};
    }
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
    const { maxFileBytes, maxFiles, maxTotalBytes } = DIGEST_READS;
    if (
      sizeBytes > maxFileBytes ||
      this.#filesRead >= maxFiles ||
      this.#bytesRead + sizeBytes > maxTotalBytes
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

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

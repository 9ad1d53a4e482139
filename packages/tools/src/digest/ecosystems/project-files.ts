import { type Filesystem, isFilesystemError } from "@wink/filesystem";
import { nextTurn } from "../../reply/step-counter.js";

/** One file as a digest sees it before it looks inside. */
export interface ScannedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Changes when the content does. */
  readonly revision: string;
}

/** What one digest reads at most: a workspace can hold any number of manifests of any size. */
export const DIGEST_READS = Object.freeze({
  maxFileBytes: 256 * 1024,
  maxFiles: 200,
  maxTotalBytes: 1024 * 1024,
});

/** Files that a digest would have read if its limits allowed it. */
export interface UnreadFiles {
  readonly count: number;
  readonly sizeBytes: number;
}

/** The files of a project, for the ecosystems that look for their manifests in it. */
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

  /** The first of these that is there. */
  first(...paths: readonly string[]): string | undefined {
    return paths.find((path) => this.has(path));
  }

  /** The paths that match, in order. */
  matching(pattern: RegExp): readonly string[] {
    return this.files.filter(({ path }) => pattern.test(path)).map(({ path }) => path);
  }

  /** The text of a file. Empty when it does not exist or is not text, and when the limits of a digest leave it out. */
  read(path: string): Promise<string> {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const text = this.#load(path);
    this.#texts.set(path, text);
    return text;
  }

  /** An object of JSON; empty when the file is none. */
  async readJson(path: string): Promise<Readonly<Record<string, unknown>>> {
    try {
      const value: unknown = JSON.parse(await this.read(path));
      return isRecord(value) ? value : {};
    } catch {
      return {};
    }
  }

  /** The texts of these files, as far as the limits allow. */
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
    // Each text is searched after it was read, so each is read in its own turn of the event loop.
    await nextTurn();
    try {
      return (await this.#filesystem.read(path, { limit: 100_000 })).content;
    } catch (error) {
      // A file that is not text, or was deleted in the meantime, says nothing about the project.
      if (isFilesystemError(error)) return "";
      throw error;
    }
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { type Filesystem, isFilesystemError } from "@wink/filesystem";

/** One file as a digest sees it before it looks inside. */
export interface ScannedFile {
  readonly path: string;
  readonly sizeBytes: number;
  /** Changes when the content does. */
  readonly revision: string;
}

const LARGEST_READ_BYTES = 256 * 1024;

/** The files of a project, for those who look for manifests in it. */
export class ProjectFiles {
  readonly files: readonly ScannedFile[];
  readonly #filesystem: Filesystem;
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #texts = new Map<string, Promise<string>>();

  constructor(files: readonly ScannedFile[], filesystem: Filesystem) {
    this.files = files;
    this.#filesystem = filesystem;
    this.#sizes = new Map(files.map(({ path, sizeBytes }) => [path, sizeBytes]));
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

  /** The text of a file; empty when it is not there, too large or no text. */
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

  async #load(path: string): Promise<string> {
    if ((this.#sizes.get(path) ?? Number.POSITIVE_INFINITY) > LARGEST_READ_BYTES) return "";
    try {
      return (await this.#filesystem.read(path, { limit: 100_000 })).content;
    } catch (error) {
      // A file that is no text, or has gone meanwhile, says nothing about the project.
      if (isFilesystemError(error)) return "";
      throw error;
    }
  }
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import { type Filesystem, type FilesystemError, isFilesystemError } from "@wink/filesystem";
import { AdapterError } from "../error/adapter-error.js";
import { type MastraProblem, mastraError } from "./mastra-error.js";
import type { MastraFilesystem, MastraFilesystemOptions } from "./mastra-protocol.js";
import { mediaTypeOf } from "./media-type.js";
import { readWholeFile } from "./read-whole-file.js";

/**
 * A filesystem for Mastra's `Workspace` over the files of a WINK filesystem. Every change is a change of that filesystem,
 * so `filesystem.transact(body)` rolls back what Mastra's tools did inside `body`.
 *
 * Errors are instances of Mastra's classes, which its tools recognise, if `@mastra/core` is installed.
 */
export function toMastraFilesystem(
  filesystem: Filesystem,
  options: MastraFilesystemOptions = {},
): MastraFilesystem {
  if (typeof filesystem?.transact !== "function")
    throw new AdapterError("ARGUMENT_INVALID", {
      subject: "toMastraFilesystem: filesystem",
      reason: "it must be a Filesystem",
    });
  return new MastraFiles(filesystem, options);
}

type Entry = Awaited<ReturnType<MastraFilesystem["readdir"]>>[number];
type OptionsOf<Name extends keyof MastraFilesystem, Index extends number> = NonNullable<
  // Only methods are asked for.
  Parameters<Extract<MastraFilesystem[Name], (...args: never[]) => unknown>>[Index]
>;

class MastraFiles implements MastraFilesystem {
  readonly id: string;
  readonly name = "WinkFilesystem";
  readonly provider = "wink";
  readonly status = "ready";
  readonly readOnly: boolean;
  readonly #files: Filesystem;

  constructor(files: Filesystem, { id = "wink" }: MastraFilesystemOptions) {
    this.#files = files;
    this.id = id;
    this.readOnly = files.readOnly;
  }

  getInfo() {
    const { id, name, provider, status, readOnly } = this;
    return { id, name, provider, status, readOnly } as const;
  }

  getInstructions(): string {
    const root = this.#files.mountPoint ?? "/";
    const rights = this.readOnly ? " It is read-only." : "";
    return `Files of the workspace, below ${root}. Paths cannot leave it.${rights}`;
  }

  async readFile(path: string, { encoding }: { encoding?: BufferEncoding } = {}) {
    const bytes = await this.#file(path, () => readWholeFile(this.#files, path));
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    return encoding === undefined ? buffer : buffer.toString(encoding);
  }

  async writeFile(
    path: string,
    content: string | Uint8Array,
    options: OptionsOf<"writeFile", 2> = {},
  ): Promise<void> {
    const { recursive = true, overwrite = true, expectedMtime } = options;
    await this.#file(path, () =>
      this.#files.transact(async (files) => {
        if (expectedMtime !== undefined) await this.#requireTime(files, path, expectedMtime);
        const mode = overwrite ? "overwrite" : "create";
        await files.writeBytes(path, bytesOf(content), { mode, createParents: recursive });
      }),
    );
  }

  async appendFile(path: string, content: string | Uint8Array): Promise<void> {
    await this.#file(path, () =>
      this.#files.writeBytes(path, bytesOf(content), { mode: "append" }),
    );
  }

  async deleteFile(path: string, { force = false }: OptionsOf<"rmdir", 1> = {}): Promise<void> {
    await this.#file(path, () => this.#files.delete(path), force);
  }

  async copyFile(from: string, to: string, options: OptionsOf<"copyFile", 2> = {}): Promise<void> {
    await this.#transfer("copy", from, to, options);
  }

  async moveFile(from: string, to: string, options: OptionsOf<"copyFile", 2> = {}): Promise<void> {
    await this.#transfer("move", from, to, options);
  }

  async mkdir(path: string, { recursive = true }: { recursive?: boolean } = {}): Promise<void> {
    await this.#directory(path, () =>
      this.#files.mkdir(path, { parents: recursive, existOk: recursive }),
    );
  }

  async rmdir(path: string, options: OptionsOf<"rmdir", 1> = {}): Promise<void> {
    const { recursive = false, force = false } = options;
    await this.#directory(
      path,
      () =>
        this.#files.transact(async (files) => {
          const entries = await files.list(path);
          if (!recursive && entries.length > 0) throw await mastraError("not-empty", path);
          await files.delete(path, { recursive: true });
        }),
      force,
    );
  }

  async readdir(path: string, options: OptionsOf<"readdir", 1> = {}): Promise<Entry[]> {
    const { recursive = false, extension, maxDepth = Number.POSITIVE_INFINITY } = options;
    const endings = extension === undefined ? undefined : [extension].flat();
    const entries: Entry[] = [];
    const visit = async (directory: string, prefix: string, depth: number): Promise<void> => {
      for (const { name, kind, path: below, sizeBytes } of await this.#files.list(directory, {
        details: true,
      })) {
        const isDirectory = kind === "directory";
        const entry = {
          name: `${prefix}${name}`,
          type: isDirectory ? "directory" : "file",
        } as const;
        if (kind === "symlink") entries.push({ ...entry, ...(await this.#linkInfo(below)) });
        else if (isDirectory) entries.push(entry);
        else if (endings?.some((ending) => name.endsWith(dotted(ending))) ?? true)
          entries.push({ ...entry, size: sizeBytes ?? 0 });
        if (isDirectory && recursive && depth < maxDepth)
          await visit(below, `${prefix}${name}/`, depth + 1);
      }
    };
    await this.#directory(path, () => visit(path, "", 1));
    return entries;
  }

  async exists(path: string): Promise<boolean> {
    try {
      return await this.#files.exists(path);
    } catch (error) {
      // Mastra asks for any path.
      if (isFilesystemError(error)) return false;
      throw error;
    }
  }

  async stat(path: string): Promise<Awaited<ReturnType<MastraFilesystem["stat"]>>> {
    const stat = await this.#file(path, () => this.#files.stat(path));
    const modifiedAt = new Date(stat.modifiedAt ?? stat.createdAt ?? 0);
    return {
      name: stat.path.split("/").at(-1) ?? "",
      path: absolute(this.#files, stat.path),
      type: stat.isDirectory ? "directory" : "file",
      size: stat.isDirectory ? 0 : stat.sizeBytes,
      createdAt: stat.createdAt === undefined ? modifiedAt : new Date(stat.createdAt),
      modifiedAt,
      ...(stat.isFile && { mimeType: mediaTypeOf(path) }),
    };
  }

  async realpath(path: string): Promise<string> {
    return absolute(this.#files, await this.#file(path, () => this.#files.realpath(path)));
  }

  async #linkInfo(path: string): Promise<Omit<Entry, "name">> {
    const target = await this.#files.readlink(path);
    const leadsToDirectory = await this.#files.stat(path).then(
      ({ isDirectory }) => isDirectory,
      () => false,
    );
    const type = leadsToDirectory ? "directory" : "file";
    return { type, isSymlink: true, symlinkTarget: target };
  }

  async #requireTime(files: Filesystem, path: string, expected: Date): Promise<void> {
    const { modifiedAt } = await files.stat(path);
    const actual = new Date(modifiedAt ?? 0);
    if (actual.getTime() !== expected.getTime())
      throw await mastraError("stale", path, expected, actual);
  }

  async #transfer(
    how: "copy" | "move",
    from: string,
    to: string,
    { overwrite = true }: OptionsOf<"copyFile", 2>,
  ): Promise<void> {
    try {
      await this.#files[how](from, to, { overwrite });
    } catch (error) {
      throw await problem(error, isFilesystemError(error, "EEXIST") ? to : from, FILE_PROBLEMS);
    }
  }

  #file<Result>(path: string, call: () => Promise<Result>, force?: boolean) {
    return this.#call(path, call, FILE_PROBLEMS, force);
  }

  #directory<Result>(path: string, call: () => Promise<Result>, force?: boolean) {
    return this.#call(path, call, DIRECTORY_PROBLEMS, force);
  }

  async #call<Result>(
    path: string,
    call: () => Promise<Result>,
    problems: Problems,
    force = false,
  ): Promise<Result> {
    try {
      return await call();
    } catch (error) {
      // The caller's Result is void where `force` is an option.
      if (force && isFilesystemError(error, "ENOENT")) return undefined as Result;
      throw await problem(error, path, problems);
    }
  }
}

type Problems = Readonly<Partial<Record<FilesystemError["code"], MastraProblem>>>;

const FILE_PROBLEMS: Problems = {
  ENOENT: "file-missing",
  EEXIST: "exists",
  EISDIR: "is-directory",
  ENOTDIR: "not-directory",
  EACCES: "denied",
  EROFS: "denied",
};

const DIRECTORY_PROBLEMS: Problems = { ...FILE_PROBLEMS, ENOENT: "directory-missing" };

async function problem(error: unknown, path: string, problems: Problems): Promise<unknown> {
  const kind = isFilesystemError(error) ? problems[error.code] : undefined;
  return kind === undefined ? error : await mastraError(kind, path);
}

function absolute(files: Filesystem, path: string): string {
  if (path.startsWith("/")) return path;
  const root = files.mountPoint ?? "/";
  return path === "." || path === "" ? root : `${root === "/" ? "" : root}/${path}`;
}

function dotted(ending: string): string {
  return ending.startsWith(".") ? ending : `.${ending}`;
}

function bytesOf(content: string | Uint8Array): Uint8Array {
  return typeof content === "string" ? Buffer.from(content) : content;
}

import type { FileStat, Filesystem } from "@wink/filesystem";
import type { FsStat, IFileSystem } from "just-bash";
import { checkValue } from "../error/check-options.js";
import { type Content, decode, type Encoding, encode } from "./file-content.js";
import { nodeError, ShellFiles, type ShellFilesOptions } from "./shell-files.js";
import { join, normalise, relative } from "./shell-path.js";

/**
 * A filesystem for just-bash, with the files of a WINK filesystem at `/`. Every change is a change of that filesystem,
 * so a transaction around a script rolls it back.
 *
 * The names of a hard link share their contents as long as the returned object is used. Afterwards they are separate
 * files. `getAllPaths` is empty, because a WINK filesystem answers only asynchronously.
 */
export function toJustBashFs(filesystem: Filesystem, signal?: AbortSignal): IFileSystem {
  checkValue("toJustBashFs: filesystem", filesystem, "filesystem");
  if (signal !== undefined) checkValue("toJustBashFs: signal", signal, "signal");
  return new JustBashFs(filesystem, { signal });
}

export class JustBashFs implements IFileSystem {
  readonly #files: ShellFiles;

  constructor(filesystem: Filesystem, options: ShellFilesOptions) {
    this.#files = new ShellFiles(filesystem, options);
  }

  async readFile(path: string, options?: Encoding): Promise<string> {
    return decode(await this.readFileBuffer(path), options);
  }

  async readFileBytes(path: string): Promise<never> {
    // just-bash does not export the declared type, which is a string with one character per byte.
    return decode(await this.readFileBuffer(path), "latin1") as never;
  }

  readFileBuffer(path: string): Promise<Uint8Array> {
    const { filesystem } = this.#files;
    return this.#files.call("open", path, async (options) => {
      await using reader = await filesystem.openRead(relative(path), options);
      const chunks: Uint8Array[] = [];
      for await (const chunk of reader) chunks.push(chunk);
      return new Uint8Array(Buffer.concat(chunks));
    });
  }

  writeFile(path: string, content: Content, options?: Encoding): Promise<void> {
    return this.#write(path, encode(content, options), "overwrite");
  }

  appendFile(path: string, content: Content, options?: Encoding): Promise<void> {
    return this.#write(path, encode(content, options), "append");
  }

  async exists(path: string): Promise<boolean> {
    try {
      return await this.#files.call("access", path, (options) =>
        this.#files.filesystem.exists(relative(path), options),
      );
    } catch {
      // A path that the filesystem refuses does not exist for a shell.
      this.#files.signal?.throwIfAborted();
      return false;
    }
  }

  stat(path: string): Promise<FsStat> {
    return this.#stat(path, "stat", true);
  }

  lstat(path: string): Promise<FsStat> {
    return this.#stat(path, "lstat", false);
  }

  async mkdir(path: string, { recursive = false }: { recursive?: boolean } = {}): Promise<void> {
    await this.#files.call("mkdir", path, async (options) => {
      const settings = { ...options, parents: recursive, existOk: recursive };
      const directory = await (recursive ? this.#files.follow(path) : this.#files.locate(path));
      await this.#files.filesystem.mkdir(directory, settings);
    });
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.readdirWithFileTypes(path)).map(({ name }) => name);
  }

  readdirWithFileTypes(path: string) {
    return this.#files.call("scandir", path, async (options) => {
      const directory = await this.#files.follow(path);
      const entries = await this.#files.filesystem.list(directory, options);
      return entries.map(({ name, isFile, isDirectory, kind }) => ({
        ...{ name, isFile, isDirectory, isSymbolicLink: kind === "symlink" },
      }));
    });
  }

  async rm(
    path: string,
    { recursive = false, force = false }: { recursive?: boolean; force?: boolean } = {},
  ): Promise<void> {
    try {
      const { isDirectory } = await this.lstat(path);
      if (isDirectory && !recursive && (await this.readdir(path)).length > 0)
        throw nodeError("ENOTEMPTY", "directory not empty", "rm", path);
      await this.#files.remove(path, isDirectory);
    } catch (error) {
      if (!(force && isCode(error, "ENOENT"))) throw error;
    }
  }

  async cp(from: string, to: string, options: { recursive?: boolean } = {}): Promise<void> {
    const { isDirectory, isSymbolicLink } = await this.lstat(from);
    if (!isDirectory) {
      if ((await this.#kindAt(to)) === "directory")
        throw nodeError("EISDIR", "cannot overwrite directory with non-directory", "cp", to);
      const asLink = isSymbolicLink && (options.recursive || !this.#files.likeBash);
      if (asLink) await this.#files.copyLink(from, to);
      else await this.#files.copyFile(from, to);
      return;
    }
    if (!options.recursive) throw nodeError("EISDIR", "is a directory", "cp", from);
    requireOutside("cp", from, to);
    if ((await this.#kindAt(to)) === undefined) await this.#files.makeDirectory(to);
    else await this.mkdir(to, { recursive: true });
    for (const name of await this.readdir(from))
      await this.cp(join(from, name), join(to, name), options);
  }

  async mv(from: string, to: string): Promise<void> {
    if (normalise(from) === normalise(to)) return;
    const { isDirectory } = await this.lstat(from);
    const replaced = await this.#kindAt(to);
    if (isDirectory) {
      requireOutside("mv", from, to);
      if (replaced === "other")
        throw nodeError("ENOTDIR", "cannot overwrite non-directory with directory", "mv", to);
      if (replaced === "directory" && (await this.readdir(to)).length > 0)
        throw nodeError("ENOTEMPTY", "directory not empty", "mv", to);
    } else if (replaced === "directory")
      throw nodeError("EISDIR", "cannot overwrite directory with non-directory", "mv", to);
    await this.#files.move(from, to);
  }

  resolvePath(base: string, path: string): string {
    return normalise(path.startsWith("/") ? path : `${base}/${path}`);
  }

  getAllPaths(): string[] {
    return [];
  }

  async chmod(path: string, mode: number): Promise<void> {
    // A filesystem stores nothing about its root, and `chmod -R u+w .` must reach the files.
    if (normalise(path) === "/") return;
    await this.#files.change("chmod", path, (file, options) =>
      this.#files.filesystem.chmod(file, mode & 0o777, options),
    );
  }

  async symlink(target: string, path: string): Promise<void> {
    if (target.includes("\0"))
      throw nodeError("ENOENT", "path contains null byte", "symlink", target);
    await this.#files.symlink(target, path);
  }

  async link(existing: string, path: string): Promise<void> {
    const { isFile } = await this.lstat(existing);
    if (!isFile) throw nodeError("EPERM", "operation not permitted", "link", existing);
    await this.#files.link(existing, path);
  }

  readlink(path: string): Promise<string> {
    return this.#files.call("readlink", path, (options) =>
      this.#files.filesystem.readlink(relative(path), options),
    );
  }

  realpath(path: string): Promise<string> {
    return this.#files.call("realpath", path, async (options) =>
      normalise(`/${await this.#files.filesystem.realpath(relative(path), options)}`),
    );
  }

  async utimes(path: string, _: Date, modifiedAt: Date): Promise<void> {
    if (normalise(path) === "/") return;
    await this.#files.change("utimes", path, (file, options) =>
      this.#files.filesystem.utimes(file, modifiedAt, options),
    );
  }

  #stat(path: string, operation: string, followLinks: boolean): Promise<FsStat> {
    return this.#files.call(operation, path, async () => {
      const stat = await this.#files.find(path, { followLinks });
      return toFsStat(stat, this.#files.identityOf(stat));
    });
  }

  async #kindAt(path: string): Promise<"directory" | "other" | undefined> {
    try {
      return (await this.lstat(path)).isDirectory ? "directory" : "other";
    } catch (error) {
      if (isCode(error, "ENOENT")) return undefined;
      throw error;
    }
  }

  async #write(path: string, bytes: Uint8Array, mode: "overwrite" | "append"): Promise<void> {
    const { filesystem } = this.#files;
    await this.#files.change("open", path, async (file, options) => {
      const settings = { ...options, mode };
      if (bytes.length <= filesystem.limits.maxWriteBytes) {
        await filesystem.writeBytes(file, bytes, settings);
        return;
      }
      await using writer = await filesystem.openWrite(file, settings);
      await writer.write(bytes);
      await writer.close();
    });
  }
}

function toFsStat({ kind, mode, sizeBytes, modifiedAt }: FileStat, identity: string): FsStat {
  return {
    isFile: kind === "file",
    isDirectory: kind === "directory",
    isSymbolicLink: kind === "symlink",
    mode,
    size: sizeBytes,
    mtime: new Date(modifiedAt ?? 0),
    identity,
  };
}

function requireOutside(operation: string, from: string, to: string): void {
  if (`${normalise(to)}/`.startsWith(`${normalise(from)}/`))
    throw nodeError("EINVAL", `cannot ${operation} into itself`, operation, from);
}

function isCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}

import { AsyncLocalStorage } from "node:async_hooks";
import { type FileStat, type Filesystem, isFilesystemError } from "@wink/filesystem";
import { followLinks, NodeError, toNodeError } from "@wink/filesystem/internal";
import type { BufferEncoding, FsStat, IFileSystem } from "just-bash";
import { checkValue } from "../error/check-options.js";

type Encoding =
  | BufferEncoding
  | { readonly encoding?: BufferEncoding | null | undefined }
  | undefined;
type Content = string | Uint8Array;

/**
 * A filesystem for just-bash, with the files of a WINK filesystem at `/`. Every change is a change of that filesystem,
 * so a transaction around a script rolls it back.
 *
 * Hard links are refused, and `getAllPaths` is empty, because a WINK filesystem answers only asynchronously.
 */
export function toJustBashFs(filesystem: Filesystem, signal?: AbortSignal): IFileSystem {
  checkValue("toJustBashFs: filesystem", filesystem, "filesystem");
  if (signal !== undefined) checkValue("toJustBashFs: signal", signal, "signal");
  return new JustBashFs(filesystem, signal);
}

class JustBashFs implements IFileSystem {
  readonly #files: Filesystem;
  readonly #signal: AbortSignal | undefined;
  // just-bash blocks parts of the runtime while a script runs, also for a filesystem that the script calls. Calls
  // run in the context of the caller instead.
  readonly #leave = AsyncLocalStorage.snapshot();

  constructor(files: Filesystem, signal: AbortSignal | undefined) {
    this.#files = files;
    this.#signal = signal;
  }

  async readFile(path: string, options?: Encoding): Promise<string> {
    return decode(await this.readFileBuffer(path), options);
  }

  async readFileBytes(path: string): Promise<never> {
    // The type is a string with one character per byte, which only just-bash can name.
    return decode(await this.readFileBuffer(path), "latin1") as never;
  }

  readFileBuffer(path: string): Promise<Uint8Array> {
    return this.#call("open", path, async (options) => {
      await using reader = await this.#files.openRead(relative(path), options);
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
      return await this.#call("access", path, (options) =>
        this.#files.exists(relative(path), options),
      );
    } catch {
      // A path that the filesystem refuses does not exist for a shell.
      this.#signal?.throwIfAborted();
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
    await this.#call("mkdir", path, (options) =>
      this.#files.mkdir(relative(path), { ...options, parents: recursive, existOk: recursive }),
    );
  }

  async readdir(path: string): Promise<string[]> {
    return (await this.readdirWithFileTypes(path)).map(({ name }) => name);
  }

  readdirWithFileTypes(path: string) {
    return this.#call("scandir", path, async (options) => {
      const entries = await this.#files.list(await this.#follow(path), options);
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
      await this.#call("rm", path, (options) =>
        this.#files.delete(relative(path), { ...options, recursive: isDirectory }),
      );
    } catch (error) {
      if (!(force && isCode(error, "ENOENT"))) throw error;
    }
  }

  async cp(from: string, to: string, options: { recursive?: boolean } = {}): Promise<void> {
    const { isDirectory } = await this.lstat(from);
    if (!isDirectory) {
      await this.#transfer("copy", from, to);
      return;
    }
    if (!options.recursive) throw nodeError("EISDIR", "is a directory", "cp", from);
    requireOutside("cp", from, to);
    await this.mkdir(to, { recursive: true });
    for (const name of await this.readdir(from))
      await this.cp(join(from, name), join(to, name), options);
  }

  async mv(from: string, to: string): Promise<void> {
    if (normalise(from) === normalise(to)) return;
    const { isDirectory } = await this.lstat(from);
    if (isDirectory) requireOutside("mv", from, to);
    // A directory that exists is merged with the moved one.
    if (!isDirectory || !(await this.exists(to))) {
      await this.#transfer("move", from, to);
      return;
    }
    for (const name of await this.readdir(from)) await this.mv(join(from, name), join(to, name));
    await this.rm(from);
  }

  resolvePath(base: string, path: string): string {
    return normalise(path.startsWith("/") ? path : `${base}/${path}`);
  }

  getAllPaths(): string[] {
    return [];
  }

  async chmod(path: string, mode: number): Promise<void> {
    await this.#call("chmod", path, (options) =>
      this.#follow(path).then((file) => this.#files.chmod(file, mode & 0o777, options)),
    );
  }

  async symlink(target: string, path: string): Promise<void> {
    if (target.includes("\0"))
      throw nodeError("ENOENT", "path contains null byte", "symlink", target);
    await this.#call("symlink", path, (options) =>
      this.#files.symlink(target, relative(path), options),
    );
  }

  async link(existing: string, path: string): Promise<void> {
    await this.lstat(existing);
    throw nodeError("EPERM", "operation not permitted", "link", path);
  }

  readlink(path: string): Promise<string> {
    return this.#call("readlink", path, (options) => this.#files.readlink(relative(path), options));
  }

  realpath(path: string): Promise<string> {
    return this.#call("realpath", path, async (options) =>
      normalise(`/${await this.#files.realpath(relative(path), options)}`),
    );
  }

  async utimes(path: string, _: Date, modifiedAt: Date): Promise<void> {
    await this.#call("utimes", path, (options) =>
      this.#follow(path).then((file) => this.#files.utimes(file, modifiedAt, options)),
    );
  }

  #stat(path: string, operation: string, followLinks: boolean): Promise<FsStat> {
    return this.#call(operation, path, async (options) =>
      toFsStat(await this.#files.stat(relative(path), { ...options, followLinks })),
    );
  }

  async #write(path: string, bytes: Uint8Array, mode: "overwrite" | "append"): Promise<void> {
    await this.#call("open", path, async (options) => {
      const file = await this.#follow(path);
      if (bytes.length <= this.#files.limits.maxWriteBytes) {
        await this.#files.writeBytes(file, bytes, { ...options, mode });
        return;
      }
      await using writer = await this.#files.openWrite(file, { ...options, mode });
      await writer.write(bytes);
      await writer.close();
    });
  }

  /** The path without links, as a shell follows them when it writes. */
  #follow(path: string): Promise<string> {
    return followLinks(this.#files, relative(path), { signal: this.#signal });
  }

  async #transfer(how: "copy" | "move", from: string, to: string): Promise<void> {
    await this.#call(how === "copy" ? "cp" : "mv", from, (options) =>
      this.#files[how](relative(from), relative(to), { ...options, overwrite: true }),
    );
  }

  async #call<Result>(
    operation: string,
    path: string,
    call: (options: { readonly signal: AbortSignal | undefined }) => Promise<Result>,
  ): Promise<Result> {
    if (path.includes("\0")) throw nodeError("ENOENT", "path contains null byte", operation, path);
    try {
      return await this.#leave(() => call({ signal: this.#signal }));
    } catch (error) {
      throw this.#quotaError(error, operation, path) ?? toNodeError(error, operation, path);
    }
  }

  /** The error of a full filesystem, with its limit. */
  #quotaError(error: unknown, operation: string, path: string): Error | undefined {
    const { maxTotalBytes } = this.#files.quotas;
    if (!isFilesystemError(error, "EDQUOT") || maxTotalBytes === undefined) return undefined;
    const text = `no space left on device, byte limit exceeded (${maxTotalBytes} bytes)`;
    return nodeError("ENOSPC", text, operation, path);
  }
}

function toFsStat({ kind, mode, sizeBytes, modifiedAt, identity }: FileStat): FsStat {
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

/** Resolves `.` and `..`. As in a shell, the parent of the root is the root. */
function normalise(path: string): string {
  const segments: string[] = [];
  for (const segment of path.split("/"))
    if (segment === "..") segments.pop();
    else if (segment !== "" && segment !== ".") segments.push(segment);
  return `/${segments.join("/")}`;
}

/** The path for the filesystem, which may require a mount point for absolute paths. */
function relative(path: string): string {
  return normalise(path).slice(1) || ".";
}

function join(directory: string, name: string): string {
  return normalise(`${directory}/${name}`);
}

function requireOutside(operation: string, from: string, to: string): void {
  if (`${normalise(to)}/`.startsWith(`${normalise(from)}/`))
    throw nodeError("EINVAL", `cannot ${operation} into itself`, operation, from);
}

function nodeError(code: string, text: string, operation: string, path: string): Error {
  return new NodeError(code, text, { operation, path });
}

function encodingOf(options: Encoding): BufferEncoding {
  return (typeof options === "string" ? options : options?.encoding) ?? "utf8";
}

function decode(bytes: Uint8Array, options: Encoding): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString(encodingOf(options));
}

function encode(content: Content, options: Encoding): Uint8Array {
  return typeof content === "string" ? Buffer.from(content, encodingOf(options)) : content;
}

function isCode(error: unknown, code: string): boolean {
  return typeof error === "object" && error !== null && "code" in error && error.code === code;
}

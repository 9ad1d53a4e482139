import { constants, type OpenMode, type PathLike } from "node:fs";
import type { Filesystem } from "../protocol/filesystem.js";
import { copyTree, type NodeCopyOptions } from "./copy-tree.js";
import { followLinks, followParentLinks } from "./follow-links.js";
import { NodeCalls, nodeError, permissions, textOf } from "./node-calls.js";
import { bytesOf, type EncodingOption, encodingOf, type NodeData, toDate } from "./node-content.js";
import { NodeDirectory } from "./node-directory.js";
import { throwIfAborted } from "./node-error.js";
import { NodeFileHandle } from "./node-file-handle.js";
import type { NodeDirent } from "./node-stats.js";
import { parseOpenFlags } from "./open-flags.js";

interface WriteFileOptions {
  readonly encoding?: BufferEncoding | null;
  readonly flag?: string;
  readonly mode?: number | string;
  readonly signal?: AbortSignal;
}

const RANDOM_CHARACTERS = "abcdefghijklmnopqrstuvwxyz0123456789";

/** `node:fs/promises` over a filesystem. */
export class NodeFs {
  readonly constants = constants;
  readonly #files: Filesystem;
  readonly #calls: NodeCalls;
  #opened = 0;

  constructor(files: Filesystem) {
    this.#files = files;
    this.#calls = new NodeCalls(files);
  }

  async access(path: PathLike, mode: number = constants.F_OK): Promise<void> {
    const stat = await this.#calls.stat("access", path, true);
    const denied =
      ((mode & constants.W_OK) !== 0 && this.#files.readOnly) ||
      ((mode & constants.X_OK) !== 0 && (stat.mode & 0o111) === 0);
    if (denied) throw nodeError("EACCES", "permission denied", "access", path);
  }

  async appendFile(
    path: PathLike | NodeFileHandle,
    data: NodeData,
    options?: EncodingOption & WriteFileOptions,
  ): Promise<void> {
    if (path instanceof NodeFileHandle) return await path.appendFile(data, options);
    await this.#withHandle(path, "a", options, (handle) => handle.appendFile(data, options));
  }

  async chmod(path: PathLike, mode: number | string): Promise<void> {
    await this.#calls.change("chmod", path, (file) => this.#files.chmod(file, permissions(mode)));
  }

  async chown(path: PathLike): Promise<void> {
    await this.#calls.stat("chown", path, true);
    throw nodeError("EPERM", "operation not permitted", "chown", path);
  }

  async lchown(path: PathLike): Promise<void> {
    await this.#calls.stat("lchown", path, false);
    throw nodeError("EPERM", "operation not permitted", "lchown", path);
  }

  async copyFile(from: PathLike, to: PathLike, mode = 0): Promise<void> {
    const source = await this.#calls.follow("copyfile", from);
    await this.#calls.change("copyfile", to, (target) =>
      this.#files.copy(source, target, {
        overwrite: (mode & constants.COPYFILE_EXCL) === 0,
        createParents: false,
      }),
    );
  }

  async cp(from: PathLike, to: PathLike, options: NodeCopyOptions = {}): Promise<void> {
    await this.#calls.call("cp", from, (source) =>
      copyTree(this.#files, source, textOf(to), options),
    );
  }

  async link(existing: PathLike): Promise<void> {
    await this.#calls.stat("link", existing, false);
    throw nodeError("EPERM", "operation not permitted", "link", existing);
  }

  async lstat(path: PathLike, options: { throwIfNoEntry?: boolean } = {}) {
    return await this.#calls.stats("lstat", path, false, options);
  }

  async stat(path: PathLike, options: { throwIfNoEntry?: boolean } = {}) {
    return await this.#calls.stats("stat", path, true, options);
  }

  async lutimes(path: PathLike, _: unknown, modifiedAt: number | string | Date): Promise<void> {
    await this.#calls.call("lutime", path, (file) => this.#files.utimes(file, toDate(modifiedAt)));
  }

  async utimes(path: PathLike, _: unknown, modifiedAt: number | string | Date): Promise<void> {
    await this.#calls.change("utime", path, (file) => this.#files.utimes(file, toDate(modifiedAt)));
  }

  async mkdir(
    path: PathLike,
    options: number | string | { recursive?: boolean; mode?: number | string } | null = {},
  ): Promise<string | undefined> {
    const settings = typeof options === "object" && options !== null ? options : { mode: options };
    const { recursive = false, mode } = { recursive: false, ...settings };
    return await this.#calls.call("mkdir", path, async (file) => {
      const first = recursive ? await this.#calls.firstMissing(file) : file;
      const directory = await (recursive ? followLinks : followParentLinks)(this.#files, file);
      await this.#files.mkdir(directory, { parents: recursive, existOk: recursive });
      if (mode !== undefined && mode !== null && first !== undefined)
        await this.#files.chmod(file, permissions(mode));
      return recursive ? first && this.#calls.absolute(first) : undefined;
    });
  }

  async mkdtemp(prefix: string): Promise<string> {
    const characters = Array.from({ length: 6 }, () => {
      const index = Math.floor(Math.random() * RANDOM_CHARACTERS.length);
      return RANDOM_CHARACTERS.charAt(index);
    });
    const path = `${textOf(prefix)}${characters.join("")}`;
    await this.mkdir(path);
    return path;
  }

  async open(
    path: PathLike,
    flags: OpenMode = "r",
    mode?: number | string,
  ): Promise<NodeFileHandle> {
    const name = textOf(path);
    const parsed = parseOpenFlags(flags, name);
    return await this.#calls.call("open", path, async () => {
      const file = await followLinks(this.#files, name);
      await this.#prepare(file, parsed, mode);
      return new NodeFileHandle(this.#files, file, parsed, this.#opened++);
    });
  }

  async opendir(path: PathLike): Promise<NodeDirectory> {
    return new NodeDirectory(textOf(path), await this.#calls.entries("opendir", path));
  }

  async readFile(
    path: PathLike | NodeFileHandle,
    options?: EncodingOption & { readonly flag?: string; readonly signal?: AbortSignal },
  ): Promise<string | Buffer> {
    if (path instanceof NodeFileHandle) return await path.readFile(options);
    const signal = typeof options === "object" ? options?.signal : undefined;
    throwIfAborted(signal);
    const flag = typeof options === "object" ? options?.flag : undefined;
    return await this.#withHandle(path, flag ?? "r", undefined, (handle) =>
      handle.readFile(options),
    );
  }

  async readdir(
    path: PathLike,
    options?: EncodingOption & { withFileTypes?: boolean; recursive?: boolean },
  ): Promise<(string | Buffer | NodeDirent)[]> {
    const settings = typeof options === "object" && options !== null ? options : {};
    const found: { readonly name: string; readonly entry: NodeDirent }[] = [];
    const visit = async (directory: string, prefix: string): Promise<void> => {
      for (const entry of await this.#calls.entries("scandir", directory)) {
        found.push({ name: `${prefix}${entry.name}`, entry });
        if (settings.recursive === true && entry.isDirectory())
          await visit(`${directory}/${entry.name}`, `${prefix}${entry.name}/`);
      }
    };
    await visit(textOf(path), "");
    if (settings.withFileTypes === true) return found.map(({ entry }) => entry);
    const isBuffer = (typeof options === "string" ? options : settings.encoding) === "buffer";
    return found.map(({ name }) => (isBuffer ? Buffer.from(name) : name));
  }

  async readlink(path: PathLike, options?: EncodingOption): Promise<string | Buffer> {
    const target = await this.#calls.call("readlink", path, (file) => this.#files.readlink(file));
    return asked(target, options);
  }

  async realpath(path: PathLike, options?: EncodingOption): Promise<string | Buffer> {
    const real = await this.#calls.call("realpath", path, (file) => this.#files.realpath(file));
    return asked(this.#calls.absolute(real), options);
  }

  async rename(from: PathLike, to: PathLike): Promise<void> {
    await this.#calls.rename(from, to);
  }

  async rm(path: PathLike, options: { recursive?: boolean; force?: boolean } = {}): Promise<void> {
    const { recursive = false, force = false } = options ?? {};
    const stat = await this.#calls.statOrNone("rm", path, force);
    if (stat === undefined) return;
    if (stat.isDirectory && !recursive)
      throw nodeError("ERR_FS_EISDIR", "path is a directory", "rm", path);
    await this.#calls.changeEntry("rm", path, (file) => this.#files.delete(file, { recursive }));
  }

  async rmdir(path: PathLike): Promise<void> {
    const entries = await this.#calls.entries("rmdir", path);
    if (entries.length > 0) throw nodeError("ENOTEMPTY", "directory not empty", "rmdir", path);
    await this.#calls.changeEntry("rmdir", path, (file) =>
      this.#files.delete(file, { recursive: true }),
    );
  }

  async symlink(target: PathLike, path: PathLike): Promise<void> {
    await this.#calls.changeEntry("symlink", path, (file) =>
      this.#files.symlink(textOf(target), file, { createParents: false }),
    );
  }

  async truncate(path: PathLike, length = 0): Promise<void> {
    await this.#withHandle(path, "r+", undefined, (handle) => handle.truncate(length));
  }

  async unlink(path: PathLike): Promise<void> {
    await this.#calls.changeEntry("unlink", path, (file) => this.#files.delete(file));
  }

  async writeFile(
    path: PathLike | NodeFileHandle,
    data: NodeData,
    options?: EncodingOption & WriteFileOptions,
  ): Promise<void> {
    if (path instanceof NodeFileHandle) return await path.writeFile(data, options);
    const settings = typeof options === "object" && options !== null ? options : {};
    throwIfAborted(settings.signal);
    const bytes = await bytesOf(data, encodingOf(options));
    if (settings.flag !== undefined && settings.flag !== "w") {
      await this.#withHandle(path, settings.flag, settings, (handle) => handle.writeFile(bytes));
      return;
    }
    await this.#calls.change("open", path, async (file) => {
      const isNew = settings.mode !== undefined && !(await this.#files.exists(file));
      await this.#files.writeBytes(file, bytes, { createParents: false, signal: settings.signal });
      if (isNew) await this.#files.chmod(file, permissions(settings.mode ?? 0o666));
    });
  }

  async #prepare(
    file: string,
    flags: ReturnType<typeof parseOpenFlags>,
    mode: number | string | undefined,
  ): Promise<void> {
    const exists = await this.#files.exists(file);
    if (exists && !(flags.creates && flags.exclusive) && !flags.truncates) {
      if (flags.writes && (await this.#files.stat(file)).isDirectory)
        throw nodeError("EISDIR", "illegal operation on a directory", "open", file);
      return;
    }
    if (!exists && !flags.creates)
      throw nodeError("ENOENT", "no such file or directory", "open", file);
    await this.#files.writeBytes(file, new Uint8Array(), {
      mode: flags.exclusive ? "create" : "overwrite",
      createParents: false,
    });
    if (!exists && mode !== undefined) await this.#files.chmod(file, permissions(mode));
  }

  async #withHandle<Result>(
    path: PathLike,
    flag: string,
    options: EncodingOption | WriteFileOptions,
    body: (handle: NodeFileHandle) => Promise<Result>,
  ): Promise<Result> {
    const settings: WriteFileOptions =
      typeof options === "object" ? { ...(options as object) } : {};
    await using handle = await this.open(path, settings.flag ?? flag, settings.mode);
    return await body(handle);
  }
}

function asked(text: string, options: EncodingOption): string | Buffer {
  const encoding = typeof options === "string" ? options : options?.encoding;
  return encoding === "buffer" ? Buffer.from(text) : text;
}

import {
  createFilesystem,
  type DriverAttributes,
  type DriverEntry,
  type DriverStat,
  type DriverWriteOptions,
  type Filesystem,
  type FilesystemDriver,
  FilesystemError,
  type FilesystemOptions,
  type NodeKind,
  type VirtualPath,
  type WriteMode,
} from "@wink/filesystem";
import type { FsStat, IFileSystem } from "just-bash";
import { checkValue } from "../error/check-options.js";

/**
 * A WINK filesystem over any filesystem of just-bash, such as its `InMemoryFs` or `OverlayFs`, with limits, search,
 * snapshots and transactions. Nothing else may change the files while it is used.
 */
export function fromJustBashFs(fs: IFileSystem, options: FilesystemOptions = {}): Filesystem {
  checkValue("fromJustBashFs: fs", fs, "just-bash");
  return createFilesystem(new JustBashDriver(fs), options);
}

class JustBashDriver implements FilesystemDriver {
  readonly name = "just-bash";
  readonly stores = ["links", "modes", "times"] as const;
  readonly #fs: IFileSystem;

  constructor(fs: IFileSystem) {
    this.#fs = fs;
  }

  async stat(path: VirtualPath): Promise<DriverStat | undefined> {
    const stat = await this.#lstat(path);
    return stat && { ...describe(stat), sizeBytes: await this.#sizeOf(path, stat) };
  }

  async list(path: VirtualPath): Promise<readonly DriverEntry[]> {
    const names = await this.#fs.readdir(absolute(path));
    return await Promise.all(
      names.map(async (name) => ({
        name,
        kind: kindOf(await this.#fs.lstat(this.#fs.resolvePath(absolute(path), name))),
      })),
    );
  }

  async read(path: VirtualPath, offset: number, length: number): Promise<Uint8Array> {
    // Its interface reads only whole files.
    return (await this.#readAll(path)).slice(offset, offset + length);
  }

  async write(
    path: VirtualPath,
    bytes: Uint8Array,
    mode: WriteMode,
    { kind = "file", executable, ...attributes }: DriverWriteOptions,
  ): Promise<void> {
    const before = await this.#lstat(path);
    if (mode === "create" && before !== undefined)
      throw new FilesystemError("EEXIST", { operation: "write", path });
    if (kind === "symlink") {
      if (before !== undefined) await this.#fs.rm(absolute(path));
      await this.#fs.symlink(new TextDecoder().decode(bytes), absolute(path));
      return;
    }
    // It stores the array itself.
    const copy = bytes.slice();
    if (mode !== "append" || before === undefined) await this.#fs.writeFile(absolute(path), copy);
    else if (bytes.length > 0) await this.#fs.appendFile(absolute(path), copy);
    // It resets the permissions of a file that it overwrites.
    const permissions = attributes.permissions ?? permissionsFor(executable, before?.mode);
    await this.#setAttributes(path, { ...attributes, permissions });
  }

  async mkdir(path: VirtualPath, attributes: DriverAttributes): Promise<void> {
    if ((await this.#lstat(path)) === undefined) await this.#fs.mkdir(absolute(path));
    await this.#setAttributes(path, attributes);
  }

  async remove(path: VirtualPath): Promise<void> {
    await this.#fs.rm(absolute(path));
  }

  async #setAttributes(
    path: VirtualPath,
    { permissions, modifiedAtMs }: DriverAttributes,
  ): Promise<void> {
    if (permissions !== undefined) await this.#fs.chmod(absolute(path), permissions);
    if (modifiedAtMs === undefined) return;
    const time = new Date(modifiedAtMs);
    await this.#fs.utimes(absolute(path), time, time);
  }

  async #lstat(path: VirtualPath): Promise<FsStat | undefined> {
    try {
      // Its `lstat` follows the links above the last name, which a driver must not.
      const parent = this.#fs.resolvePath(absolute(path), "..");
      if ((await this.#fs.realpath(parent)) !== parent) return undefined;
      return await this.#fs.lstat(absolute(path));
    } catch (error) {
      // Not every filesystem of just-bash sets `code`; the message always begins with it.
      if (error instanceof Error && /^(?:ENOENT|ENOTDIR)\b/.test(error.message)) return undefined;
      throw error;
    }
  }

  async #readAll(path: VirtualPath): Promise<Uint8Array> {
    const { isSymbolicLink } = await this.#fs.lstat(absolute(path));
    return isSymbolicLink
      ? new TextEncoder().encode(await this.#fs.readlink(absolute(path)))
      : await this.#fs.readFileBuffer(absolute(path));
  }

  /** The size of a link is that of its target, which not every filesystem of just-bash reports. */
  async #sizeOf(path: VirtualPath, { isSymbolicLink, size }: FsStat): Promise<number> {
    return isSymbolicLink ? (await this.#readAll(path)).length : size;
  }
}

function absolute(path: VirtualPath): string {
  return path === "." ? "/" : `/${path}`;
}

function describe(stat: FsStat): Omit<DriverStat, "sizeBytes"> {
  return { kind: kindOf(stat), mode: stat.mode & 0o777, modifiedAtMs: stat.mtime.getTime() };
}

function kindOf({ isFile, isDirectory, isSymbolicLink }: FsStat): NodeKind {
  if (isSymbolicLink) return "symlink";
  if (isDirectory) return "directory";
  return isFile ? "file" : "special";
}

function permissionsFor(executable: boolean | undefined, before = 0o644): number {
  const permissions = before & 0o777;
  if (executable === undefined) return permissions;
  // The execute bits follow the read bits.
  return executable ? permissions | ((permissions & 0o444) >> 2) : permissions & ~0o111;
}

import { concatBytes } from "../content/bytes.js";
import { FileContent } from "../content/file-content.js";
import type { DriverEntry, DriverStat } from "../driver/driver.js";
import { pathBytes } from "../path/host-name.js";
import { baseName, parentPath, type VirtualPath } from "../path/virtual-path.js";
import type { CallOptions, FileStat, Filesystem } from "../protocol/filesystem.js";
import { FilesystemError, isFilesystemError } from "../protocol/filesystem-error.js";

/**
 * The base of an overlay as it was first seen. A node that was read once stays the same: a later change of the base is not
 * visible, and reading a content that was replaced is `ESTALE`.
 */
export class PinnedBase {
  readonly #base: Filesystem;
  /** By directory and name, so that a directory finds its own. */
  readonly #stats = new Map<string, Map<string, DriverStat | undefined>>();
  /** The targets of links, by path, because a link has no revision. */
  readonly #targets = new Map<string, Uint8Array>();
  /** The revisions of loaded contents, by path. */
  readonly #revisions = new Map<string, string>();
  readonly #lists = new Map<string, ReadonlyMap<string, DriverEntry["kind"]>>();

  constructor(base: Filesystem) {
    this.#base = base;
  }

  async stat(path: VirtualPath, { signal }: CallOptions): Promise<DriverStat | undefined> {
    const [parent, name] = [parentPath(path), baseName(path)];
    const siblings = this.#stats.get(parent) ?? new Map<string, DriverStat | undefined>();
    if (siblings.has(name)) return siblings.get(name);
    const listed = path === "" ? undefined : this.#lists.get(parent);
    if (listed !== undefined && !listed.has(name)) return undefined;
    const stat = await this.#describe(path, signal);
    const target = stat?.kind === "symlink" ? await this.#readLink(path, signal) : undefined;
    const kind = listed?.get(name);
    if (kind !== undefined && stat?.kind !== kind) throw changed(path);
    const loaded = this.#revisions.get(path);
    if (loaded !== undefined && stat?.revision !== loaded) throw changed(path);
    // Another call may have been faster.
    const pinned = this.#stats.get(parent) ?? siblings;
    this.#stats.set(parent, pinned);
    if (!pinned.has(name)) {
      pinned.set(name, stat && target ? { ...stat, sizeBytes: target.length } : stat);
      if (target !== undefined) this.#targets.set(path, target);
    }
    return pinned.get(name);
  }

  /** The children of a directory, by name. */
  async list(
    path: VirtualPath,
    { signal }: CallOptions,
  ): Promise<ReadonlyMap<string, DriverEntry["kind"]>> {
    const known = this.#lists.get(path);
    if (known !== undefined) return known;
    const children = new Map<string, DriverEntry["kind"]>();
    for (let offset = 0, isMore = true; isMore; ) {
      const page = await this.#listPage(path, offset, signal);
      for (const { name, kind } of page) children.set(name, kind);
      offset += page.length;
      isMore = page.truncated && page.length > 0;
    }
    for (const [name, stat] of this.#stats.get(path) ?? []) {
      if (stat === undefined) children.delete(name);
      // The root's own stat has an empty name and is not one of its children.
      else if (name !== "") children.set(name, stat.kind);
    }
    const listed = this.#lists.get(path) ?? children;
    this.#lists.set(path, listed);
    return listed;
  }

  async read(
    path: VirtualPath,
    offset: number,
    length: number,
    { signal }: CallOptions,
  ): Promise<Uint8Array> {
    const stat = await this.stat(path, { signal });
    const target = this.#targets.get(path);
    if (target !== undefined) return target.slice(offset, offset + length);
    const parts: Uint8Array[] = [];
    for (let at = offset; at < offset + length; ) {
      const page = await this.#page(path, at, offset + length - at, signal);
      if (page.revision !== stat?.revision) throw changed(path);
      parts.push(page.content);
      at += page.content.length;
      if (!page.truncated || page.content.length === 0) break;
    }
    return concatBytes(parts);
  }

  /**
   * The content of a file of at most `maxBytes`, with one read. If the file was not described before, the overlay shows
   * this content from now on.
   */
  async load(
    path: VirtualPath,
    maxBytes: number,
    { signal }: CallOptions,
  ): Promise<FileContent | undefined> {
    const pinned = this.#stats.get(parentPath(path))?.get(baseName(path));
    if (pinned !== undefined && (pinned.kind !== "file" || pinned.sizeBytes > maxBytes))
      return undefined;
    const { content, revision, truncated } = await this.#page(path, 0, maxBytes, signal);
    const known = pinned === undefined ? this.#revisions.get(path) : pinned.revision;
    if (known !== undefined && known !== revision) throw changed(path);
    this.#revisions.set(path, revision);
    return truncated ? undefined : FileContent.ofBytes(content, revision);
  }

  /** The SHA-256 of a file, or of the target of a link. */
  async contentId(path: VirtualPath, options: CallOptions): Promise<string> {
    const id = await this.#base.contentId(path, options);
    const { revision } = await this.#base.stat(path, options);
    if (revision !== (await this.stat(path, options))?.revision) throw changed(path);
    return id;
  }

  async #listPage(path: VirtualPath, offset: number, signal: AbortSignal | undefined) {
    try {
      return await this.#base.list(path === "" ? "." : path, { offset, signal });
    } catch (error) {
      if (!isFilesystemError(error) || path === "") throw error;
      // It was a directory when it was first seen.
      if ((await this.#describe(path, signal))?.kind !== "directory") throw changed(path);
      throw error;
    }
  }

  async #page(path: VirtualPath, offset: number, limit: number, signal: AbortSignal | undefined) {
    try {
      return await this.#base.readBytes(path, { offset, limit, signal });
    } catch (error) {
      // It was a file when it was pinned.
      if (isFilesystemError(error) && GONE.includes(error.code)) throw changed(path);
      throw error;
    }
  }

  /** The bytes of a link's target, which need not be UTF-8. */
  async #readLink(path: VirtualPath, signal: AbortSignal | undefined): Promise<Uint8Array> {
    try {
      return pathBytes(await this.#base.readlink(path, { signal }));
    } catch (error) {
      if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "EINVAL"))
        throw changed(path);
      throw error;
    }
  }

  async #describe(
    path: VirtualPath,
    signal: AbortSignal | undefined,
  ): Promise<DriverStat | undefined> {
    try {
      const given = path === "" ? "." : path;
      return toDriverStat(await this.#base.stat(given, { followLinks: false, signal }));
    } catch (error) {
      if (isFilesystemError(error, "ENOENT") || isFilesystemError(error, "ENOTDIR"))
        return undefined;
      throw error;
    }
  }
}

const GONE: readonly string[] = ["ENOENT", "ENOTDIR", "EISDIR"];

function toDriverStat(stat: FileStat): DriverStat {
  const { kind, sizeBytes, mode, createdAt, modifiedAt, revision } = stat;
  const ms = (time: string | undefined) => (time === undefined ? undefined : Date.parse(time));
  return {
    ...{ kind, sizeBytes, mode, revision },
    createdAtMs: ms(createdAt),
    modifiedAtMs: ms(modifiedAt),
  };
}

function changed(path: VirtualPath): FilesystemError {
  return new FilesystemError("ESTALE", {
    operation: "read",
    path,
    reason: "it has changed below the overlay since it was first read",
    advice: "Open a new overlay.",
  });
}

import { concatBytes, copyBytes } from "../content/bytes.js";
import { equalBytes, FileContent } from "../content/file-content.js";
import type { DriverAttributes, DriverStat, DriverWriteOptions } from "../driver/driver.js";
import type { WalkEntry } from "../driver/driver-accelerators.js";
import { permissionsAfter } from "../driver/permissions.js";
import { nextRevision } from "../memory/next-revision.js";
import { inWalkOrder } from "../path/in-walk-order.js";
import { joinPath, ROOT, type VirtualPath } from "../path/virtual-path.js";
import type { CallOptions, WriteMode } from "../protocol/filesystem.js";
import { FilesystemError, isFilesystemError } from "../protocol/filesystem-error.js";
import {
  baseNode,
  noChildren,
  type OverlayNode,
  type OwnDirectory,
  withChild,
} from "./overlay-node.js";
import type { PinnedBase } from "./pinned-base.js";

/** One state of an overlay that can be changed. Its versions are its roots. */
export class OverlayTree {
  readonly base: PinnedBase;
  readonly #clock: () => number;
  root: OverlayNode;

  constructor(
    base: PinnedBase,
    clock: () => number,
    root: OverlayNode = baseNode(ROOT, "directory"),
  ) {
    this.base = base;
    this.#clock = clock;
    this.root = root;
  }

  now(): number {
    return this.#clock();
  }

  async find(path: VirtualPath, options: CallOptions): Promise<OverlayNode | undefined> {
    let node: OverlayNode | undefined = this.root;
    for (const name of segmentsOf(path)) {
      if (node?.kind !== "directory") return undefined;
      node = await this.childOf(node, name, options);
    }
    return node;
  }

  async childOf(
    directory: OverlayNode,
    name: string,
    options: CallOptions,
  ): Promise<OverlayNode | undefined> {
    if (directory.source === "own")
      return directory.kind === "directory" ? directory.children.get(name) : undefined;
    const path = joinPath(directory.path, name);
    const stat = await this.base.stat(path, options);
    return stat && baseNode(path, stat.kind);
  }

  async childrenOf(
    directory: OverlayNode,
    options: CallOptions,
  ): Promise<ReadonlyMap<string, OverlayNode>> {
    const children = new Map<string, OverlayNode>();
    if (directory.kind !== "directory") return children;
    if (directory.source === "base")
      for (const [name, kind] of await this.base.list(directory.path, options))
        children.set(name, baseNode(joinPath(directory.path, name), kind));
    else
      directory.children.forEach((child, name) => {
        children.set(name, child);
      });
    return children;
  }

  async describe(node: OverlayNode, options: CallOptions): Promise<DriverStat> {
    if (node.source === "own") {
      const { kind, mode, createdAtMs, modifiedAtMs } = node;
      const times = { createdAtMs, modifiedAtMs };
      return node.kind === "directory"
        ? { kind, mode, sizeBytes: 0, ...times }
        : { kind, mode, sizeBytes: node.bytes.length, revision: node.revision, ...times };
    }
    const stat = await this.base.stat(node.path, options);
    if (stat === undefined) return { kind: node.kind, sizeBytes: 0 };
    const { mode = stat.mode, modifiedAtMs = stat.modifiedAtMs } = node.changed;
    return { ...stat, mode, modifiedAtMs };
  }

  async read(
    node: OverlayNode,
    offset: number,
    length: number,
    options: CallOptions,
  ): Promise<Uint8Array> {
    if (node.source === "base") return await this.base.read(node.path, offset, length, options);
    if (node.kind === "directory") return new Uint8Array();
    return node.bytes.slice(offset, offset + length);
  }

  /** The content of a file of at most `maxBytes`. */
  async load(
    node: OverlayNode,
    maxBytes: number,
    options: CallOptions,
  ): Promise<FileContent | undefined> {
    if (node.kind !== "file") return undefined;
    if (node.source === "base") return await this.base.load(node.path, maxBytes, options);
    if (node.bytes.length > maxBytes) return undefined;
    return FileContent.ofBytes(node.bytes, node.revision);
  }

  /** Everything below a directory, with the kinds of the lists, so that only contents that are needed are read. */
  async *walk(
    path: VirtualPath,
    directory: OverlayNode,
    enter: (path: VirtualPath) => boolean,
    options: CallOptions,
  ): AsyncGenerator<WalkEntry, void, void> {
    const children = await this.childrenOf(directory, options);
    const entries = [...children].map(([name, { kind }]) => ({ name, kind }));
    for (const { name, kind } of inWalkOrder(entries)) {
      const node = children.get(name);
      if (node === undefined) continue;
      const at = joinPath(path, name);
      yield { path: at, name, kind, load: (maxBytes) => this.load(node, maxBytes, options) };
      if (kind === "directory" && enter(at)) yield* this.walk(at, node, enter, options);
    }
  }

  async readWhole(node: OverlayNode, options: CallOptions): Promise<Uint8Array> {
    return await this.read(node, 0, (await this.describe(node, options)).sizeBytes, options);
  }

  /** Puts a node at a path, or removes the one that is there. The parent exists. */
  async put(path: VirtualPath, node: OverlayNode | undefined, options: CallOptions): Promise<void> {
    const parents: [OwnDirectory, string][] = [];
    let at: OverlayNode | undefined = this.root;
    for (const name of segmentsOf(path)) {
      if (at?.kind !== "directory")
        throw new FilesystemError("ENOTDIR", { operation: "write", path });
      const own = await this.#own(at, options);
      parents.push([own, name]);
      at = own.children.get(name);
    }
    let placed = node;
    for (const [parent, name] of parents.reverse())
      placed = withChild(parent, name, placed, this.now());
    // A path without parent directories is the root.
    if (placed !== undefined) this.root = placed;
  }

  async write(
    path: VirtualPath,
    bytes: Uint8Array,
    mode: WriteMode,
    options: DriverWriteOptions,
  ): Promise<string> {
    const before = await this.find(path, options);
    if (mode === "create" && before !== undefined)
      throw new FilesystemError("EEXIST", { operation: "write", path });
    const stat = before && (await this.describe(before, options));
    if (before !== undefined && stat !== undefined && mode === "append" && bytes.length === 0)
      return await this.#setAttributes(path, before, stat, options);
    const kept = before && mode === "append" ? await this.readWhole(before, options) : undefined;
    const whole = kept ? concatBytes([kept, bytes]) : copyBytes(bytes);
    const now = this.now();
    const kind = options.kind ?? "file";
    const permissions = kind === "symlink" ? 0o777 : permissionsAfter(stat?.mode, options);
    const modifiedAtMs = options.modifiedAtMs ?? now;
    // A revision changes exactly when the content changes.
    if (before?.kind === kind && (await this.#holds(before, stat, whole, options))) {
      await this.put(path, withAttributes(before, permissions, modifiedAtMs), options);
      return stat?.revision ?? "";
    }
    const revision = nextRevision();
    const createdAtMs = stat?.createdAtMs ?? now;
    await this.put(
      path,
      {
        ...{ source: "own", kind, revision, bytes: whole },
        ...{ mode: permissions, createdAtMs, modifiedAtMs },
      },
      options,
    );
    return revision;
  }

  async #holds(
    node: OverlayNode,
    stat: DriverStat | undefined,
    bytes: Uint8Array,
    options: CallOptions,
  ): Promise<boolean> {
    if (stat?.sizeBytes !== bytes.length) return false;
    try {
      return equalBytes(await this.readWhole(node, options), bytes);
    } catch (error) {
      // A content that the base has replaced can still be overwritten.
      if (isFilesystemError(error, "ESTALE")) return false;
      throw error;
    }
  }

  async makeDirectory(path: VirtualPath, options: DriverAttributes): Promise<void> {
    const { permissions, modifiedAtMs } = options;
    const before = await this.find(path, options);
    const now = this.now();
    if (before === undefined) {
      const times = { createdAtMs: now, modifiedAtMs: modifiedAtMs ?? now };
      const mode = permissions ?? 0o755;
      const kind = "directory" as const;
      await this.put(
        path,
        { source: "own", kind, mode, ...times, children: noChildren() },
        options,
      );
    } else if (permissions !== undefined || modifiedAtMs !== undefined)
      await this.put(path, withAttributes(before, permissions, modifiedAtMs), options);
  }

  async #setAttributes(
    path: VirtualPath,
    before: OverlayNode,
    stat: DriverStat,
    options: DriverWriteOptions,
  ): Promise<string> {
    const permissions = permissionsAfter(stat.mode, options);
    await this.put(path, withAttributes(before, permissions, options.modifiedAtMs), options);
    return stat.revision ?? "";
  }

  /** The directory with its own list of children. */
  async #own(directory: OverlayNode, options: CallOptions): Promise<OwnDirectory> {
    if (directory.source === "own" && directory.kind === "directory") return directory;
    const { mode = 0o755, ...stat } = await this.describe(directory, options);
    const children = noChildren();
    for (const [name, child] of await this.childrenOf(directory, options))
      children.set(name, child);
    const modifiedAtMs = stat.modifiedAtMs ?? this.now();
    const createdAtMs = stat.createdAtMs ?? modifiedAtMs;
    return { source: "own", kind: "directory", mode, createdAtMs, modifiedAtMs, children };
  }
}

function withAttributes(
  node: OverlayNode,
  mode: number | undefined,
  modifiedAtMs: number | undefined,
): OverlayNode {
  const changed = {
    ...(mode === undefined ? {} : { mode }),
    ...(modifiedAtMs === undefined ? {} : { modifiedAtMs }),
  };
  if (node.source === "own") return { ...node, ...changed };
  return { ...node, changed: { ...node.changed, ...changed } };
}

function segmentsOf(path: VirtualPath): readonly string[] {
  return path === "" ? [] : path.split("/");
}

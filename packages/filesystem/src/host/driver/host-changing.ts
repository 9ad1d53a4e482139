import { fsyncSync, renameSync } from "node:fs";
import type { DriverAttributes, DriverWriteOptions } from "../../driver/driver.js";
import { joinPath, type VirtualPath } from "../../path/virtual-path.js";
import type { WriteMode } from "../../protocol/filesystem.js";
import type { HostDoor } from "../containment/host-door.js";
import { setDirectoryAttributes } from "../containment/node-attributes.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { removeNode } from "../containment/removal.js";
import { type RemoveTreeOptions, removeTree } from "../containment/remove-tree.js";
import { visibleEntries } from "../containment/visible-entries.js";
import { cloneTree } from "./clone-tree.js";
import { writeLeaf } from "./write-file.js";
import { writeLink } from "./write-link.js";

const encoder = new TextEncoder();

/** The methods of the driver that change files, except streams. */
export class HostChanging {
  readonly #door: HostDoor;
  readonly #fsync: boolean;

  constructor(door: HostDoor, fsync: boolean) {
    this.#door = door;
    this.#fsync = fsync;
  }

  write(
    path: VirtualPath,
    bytes: Uint8Array,
    mode: WriteMode,
    { executable, permissions, modifiedAtMs, kind }: DriverWriteOptions = {},
  ): string | undefined {
    const publish = { mode, executable, permissions, modifiedAtMs, fsync: this.#fsync };
    return this.#door.inParent("write", path, (parent, leaf) => {
      if (kind !== "symlink") return writeLeaf(this.#door.root, parent, leaf, bytes, publish);
      writeLink(this.#door.root, parent, leaf, bytes, publish);
      this.#settle(parent);
      return undefined;
    });
  }

  writeText(
    path: VirtualPath,
    text: string,
    _sizeBytes: number,
    mode: WriteMode,
    options?: DriverWriteOptions,
  ): string | undefined {
    return this.write(path, encoder.encode(text), mode, options);
  }

  mkdir(path: VirtualPath, attributes: DriverAttributes = {}): void {
    if (path === "") return;
    const { root } = this.#door;
    this.#door.inParent("mkdir", path, (parent, leaf) => {
      root.makeDirectory(parent, leaf);
      setDirectoryAttributes(root, parent, leaf, attributes);
      this.#settle(parent);
    });
  }

  async remove(path: VirtualPath): Promise<void> {
    const removeHere = () => this.#door.inParent("delete", path, removeNode);
    try {
      removeHere();
    } catch (error) {
      // A directory that looks empty may contain hidden temporary files.
      const hidden = this.#onlyTemporary(path);
      if (hidden === undefined) throw error;
      for (const name of hidden) await removeTree(this.#door.root, joinPath(path, name));
      removeHere();
    }
  }

  async removeTree(path: VirtualPath, options: RemoveTreeOptions = {}): Promise<void> {
    try {
      await this.#door.slowly("delete", path, () => removeTree(this.#door.root, path, options));
    } catch (error) {
      options.signal?.throwIfAborted();
      throw error;
    }
  }

  rename(from: VirtualPath, to: VirtualPath): void {
    this.#door.requireReachable("move", to);
    this.#door.inParent("move", from, (source, name) =>
      this.#door.inParent("move", to, (target, newName) => {
        renameSync(source.pathOf(name), target.pathOf(newName));
        this.#settle(source);
        this.#settle(target);
      }),
    );
  }

  async clone(
    from: VirtualPath,
    to: VirtualPath,
    { signal }: { readonly signal?: AbortSignal | undefined } = {},
  ): Promise<void> {
    this.#door.requireReachable("copy", to);
    const options = { fsync: this.#fsync, signal };
    try {
      await this.#door.slowly("copy", from, () => cloneTree(this.#door.root, from, to, options));
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  }

  #settle({ fd }: PinnedDirectory): void {
    if (this.#fsync) fsyncSync(fd);
  }

  /** The names in a directory that contains only hidden temporary files, or `undefined` for any other directory. */
  #onlyTemporary(path: VirtualPath): readonly string[] | undefined {
    try {
      return this.#door.inDirectory("delete", path, (directory) => {
        const entries = directory.entries();
        const isHidden = visibleEntries(this.#door.root, directory, entries).length === 0;
        return entries.length > 0 && isHidden ? entries.map(({ name }) => name) : undefined;
      });
    } catch {
      return undefined;
    }
  }
}

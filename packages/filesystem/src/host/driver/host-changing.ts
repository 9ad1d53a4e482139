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

/** The methods of the driver that change files, except streams. */
export function hostChanging(door: HostDoor, fsync: boolean) {
  const { root } = door;

  function settle({ fd }: PinnedDirectory): void {
    if (fsync) fsyncSync(fd);
  }

  /** The names in a directory that contains only hidden temporary files, or `undefined` for any other directory. */
  function onlyTemporary(path: VirtualPath): readonly string[] | undefined {
    try {
      return door.inDirectory("delete", path, (directory) => {
        const entries = directory.entries();
        const isHidden = visibleEntries(root, directory, entries).length === 0;
        return entries.length > 0 && isHidden ? entries.map(({ name }) => name) : undefined;
      });
    } catch {
      return undefined;
    }
  }

  return {
    write(
      path: VirtualPath,
      bytes: Uint8Array,
      mode: WriteMode,
      { executable, permissions, modifiedAtMs, kind }: DriverWriteOptions = {},
    ): string | undefined {
      const publish = { mode, executable, permissions, modifiedAtMs, fsync };
      return door.inParent("write", path, (parent, leaf) => {
        if (kind !== "symlink") return writeLeaf(root, parent, leaf, bytes, publish);
        writeLink(root, parent, leaf, bytes, publish);
        settle(parent);
        return undefined;
      });
    },

    mkdir(path: VirtualPath, attributes: DriverAttributes = {}): void {
      if (path === "") return;
      door.inParent("mkdir", path, (parent, leaf) => {
        root.makeDirectory(parent, leaf);
        setDirectoryAttributes(root, parent, leaf, attributes);
        settle(parent);
      });
    },

    async remove(path: VirtualPath): Promise<void> {
      const removeHere = () => door.inParent("delete", path, removeNode);
      try {
        removeHere();
      } catch (error) {
        // A directory that looks empty may contain hidden temporary files.
        const hidden = onlyTemporary(path);
        if (hidden === undefined) throw error;
        for (const name of hidden) await removeTree(root, joinPath(path, name));
        removeHere();
      }
    },

    async removeTree(path: VirtualPath, options: RemoveTreeOptions = {}): Promise<void> {
      await door.slowly("delete", path, () => removeTree(root, path, options), options.signal);
    },

    rename(from: VirtualPath, to: VirtualPath): void {
      door.requireReachable("move", to);
      door.inParent("move", from, (source, name) =>
        door.inParent("move", to, (target, newName) => {
          renameSync(source.pathOf(name), target.pathOf(newName));
          settle(source);
          settle(target);
        }),
      );
    },

    async clone(
      from: VirtualPath,
      to: VirtualPath,
      { signal }: { readonly signal?: AbortSignal | undefined } = {},
    ): Promise<void> {
      door.requireReachable("copy", to);
      const options = { fsync, signal };
      await door.slowly("copy", from, () => cloneTree(root, from, to, options), signal);
    },
  };
}

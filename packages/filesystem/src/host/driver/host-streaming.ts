import { closeSync, fstatSync } from "node:fs";
import type { DriverWriteOptions } from "../../driver/driver.js";
import { baseName, parentPath, type VirtualPath } from "../../path/virtual-path.js";
import type { WriteMode } from "../../protocol/filesystem.js";
import type { HostDoor } from "../containment/host-door.js";
import { requireRegular } from "../containment/host-root.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { runEvery } from "../process/run-every.js";
import { HostReader, HostWriter, type StreamSite } from "./host-streams.js";
import { type PublishOptions, requireReplaceable, TemporaryFile } from "./temporary-file.js";

/** The methods of the driver that open streams. Tracks the open streams. */
export function hostStreaming(door: HostDoor, fsync: boolean) {
  const { root } = door;
  /** A function per open stream that aborts it. */
  const open = new Map<symbol, () => void>();

  /** On success the stream owns `directory`. On failure it is closed. */
  function begin(directory: PinnedDirectory, leaf: string, mode: WriteMode): TemporaryFile {
    return root.orLeave(directory, () => {
      const existing = directory.stat(leaf);
      if (existing !== undefined) requireReplaceable(existing, mode);
      return new TemporaryFile(root, directory);
    });
  }

  function siteOf(operation: string, path: VirtualPath) {
    const key = Symbol(operation);
    const site: StreamSite = { operation, path, onClose: () => open.delete(key) };
    return { site, opened: (abort: () => void) => open.set(key, abort) };
  }

  return {
    closeAll(): void {
      runEvery([...open.values()]);
    },

    openRead(path: VirtualPath): HostReader {
      return door.inParent("openRead", path, (parent, leaf) => {
        const fd = root.openLeaf(parent, leaf);
        try {
          const stat = fstatSync(fd, { bigint: true });
          requireRegular(stat);
          const { site, opened } = siteOf("openRead", path);
          const reader = new HostReader(fd, stat, site);
          opened(() => reader.close());
          return reader;
        } catch (error) {
          closeSync(fd);
          throw error;
        }
      });
    },

    async openWrite(
      path: VirtualPath,
      mode: WriteMode,
      { executable }: DriverWriteOptions = {},
    ): Promise<HostWriter> {
      return await door.slowly("openWrite", path, async () => {
        const reopenDirectory = () => root.enter(parentPath(path));
        const directory = reopenDirectory();
        const leaf = baseName(path);
        const file = begin(directory, leaf, mode);
        const publish: PublishOptions = { mode, executable, fsync };
        const { site, opened } = siteOf("openWrite", path);
        const target = { root, directory, leaf, publish, reopenDirectory };
        const writer = new HostWriter(target, file, site);
        opened(() => writer.abort());
        return writer;
      });
    },
  };
}

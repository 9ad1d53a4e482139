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
export class HostStreaming {
  readonly #door: HostDoor;
  readonly #fsync: boolean;
  /** A function per open stream that aborts it. */
  readonly #open = new Map<symbol, () => void>();

  constructor(door: HostDoor, fsync: boolean) {
    this.#door = door;
    this.#fsync = fsync;
  }

  closeAll(): void {
    runEvery([...this.#open.values()]);
  }

  openRead(path: VirtualPath): HostReader {
    const { root } = this.#door;
    return this.#door.inParent("openRead", path, (parent, leaf) => {
      const fd = root.openLeaf(parent, leaf);
      try {
        const stat = fstatSync(fd, { bigint: true });
        requireRegular(stat);
        const { site, opened } = this.#site("openRead", path);
        const reader = new HostReader(fd, stat, site);
        opened(() => reader.close());
        return reader;
      } catch (error) {
        closeSync(fd);
        throw error;
      }
    });
  }

  async openWrite(
    path: VirtualPath,
    mode: WriteMode,
    { executable }: DriverWriteOptions = {},
  ): Promise<HostWriter> {
    const { root } = this.#door;
    return await this.#door.slowly("openWrite", path, async () => {
      const reopenDirectory = () => root.enter(parentPath(path));
      const directory = reopenDirectory();
      const leaf = baseName(path);
      const file = this.#begin(directory, leaf, mode);
      const publish: PublishOptions = { mode, executable, fsync: this.#fsync };
      const { site, opened } = this.#site("openWrite", path);
      const target = { root, directory, leaf, publish, reopenDirectory };
      const writer = new HostWriter(target, file, site);
      opened(() => writer.abort());
      return writer;
    });
  }

  /** On success the stream owns `directory`. On failure it is closed. */
  #begin(directory: PinnedDirectory, leaf: string, mode: WriteMode): TemporaryFile {
    try {
      const existing = directory.stat(leaf);
      if (existing !== undefined) requireReplaceable(existing, mode);
      return new TemporaryFile(this.#door.root, directory);
    } catch (error) {
      this.#door.root.leave(directory);
      throw error;
    }
  }

  #site(operation: string, path: VirtualPath) {
    const key = Symbol(operation);
    const site: StreamSite = { operation, path, onClose: () => this.#open.delete(key) };
    return { site, opened: (abort: () => void) => this.#open.set(key, abort) };
  }
}

import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { DriverEntry } from "../../driver/driver.js";
import type { Containment } from "../containment/containment.js";
import { HostRoot } from "../containment/host-root.js";
import { kindOf } from "../containment/pinned-directory.js";
import { removeEntries, removeHostTree } from "../containment/remove-tree.js";
import { removeIfThere } from "../process/store-io.js";

/**
 * The directory in which an undo log saves replaced and deleted entries.
 *
 * A deleted directory was moved here from the workspace. A process that has it open, or works in it, can still
 * change its content. So it is removed through open directories, in the background: no process can redirect the
 * removal or delay a commit.
 */
export class SavedEntries {
  readonly #directory: string;
  readonly #containment: Containment;
  #removal: Promise<void> | undefined;

  constructor(directory: string, containment: Containment) {
    this.#directory = directory;
    this.#containment = containment;
  }

  /** Removes everything that is saved now. Entries that cannot be removed stay until the next call. */
  discard(): void {
    const entries = readdirSync(this.#directory, { withFileTypes: true });
    const directories = entries.filter((entry) => entry.isDirectory());
    for (const entry of entries)
      if (!entry.isDirectory()) removeIfThere(join(this.#directory, entry.name));
    if (directories.length === 0) return;
    const doomed = directories.map((entry) => ({ name: entry.name, kind: kindOf(entry) }));
    const earlier = this.#removal;
    this.#removal = earlier ? earlier.then(() => this.#remove(doomed)) : this.#remove(doomed);
  }

  async #remove(entries: readonly DriverEntry[]): Promise<void> {
    try {
      const root = new HostRoot(this.#directory, this.#containment);
      await removeEntries(root, entries).finally(() => root.close());
    } catch {
      // The next call tries again.
    }
  }

  /**
   * Removes everything and the directory itself. Entries that cannot be removed stay until the workspace is opened
   * again.
   */
  async remove(): Promise<void> {
    await this.#removal;
    await removeHostTree(this.#directory, this.#containment).catch(() => {});
  }
}

import { TimeSlices } from "../content/time-slices.js";
import type { FilesystemDriver } from "../driver/driver.js";
import { ROOT } from "../path/virtual-path.js";
import type { CallOptions, Usage } from "../protocol/filesystem.js";
import type { FilesystemQuotas } from "../protocol/limits.js";
import type { MaybePromise } from "../protocol/maybe-promise.js";
import { visitEntries } from "../search/walk/visit-entries.js";
import { walkTree } from "./walk-tree.js";
import { failure, type Target } from "./workspace.js";

export interface Growth {
  readonly bytes: number;
  readonly nodes: number;
}

/**
 * Tracks the usage, so that a change over quota is refused before anything is written.
 *
 * Drivers that count their own usage are asked each time. For others the tree is walked once, and the count is
 * updated with each change through this filesystem. Changes by others are seen at the next `measure`.
 */
export class UsageKeeper {
  readonly #driver: FilesystemDriver;
  readonly #quotas: FilesystemQuotas;
  #known: { totalBytes: number; nodeCount: number } | undefined;

  constructor(driver: FilesystemDriver, quotas: FilesystemQuotas) {
    this.#driver = driver;
    this.#quotas = quotas;
  }

  async measure(signal?: AbortSignal): Promise<Usage> {
    const usage = await (this.#driver.accelerate?.usage?.({ signal }) ??
      countTree(this.#driver, { signal }));
    this.#known = { totalBytes: usage.totalBytes, nodeCount: usage.nodeCount };
    return usage;
  }

  /** Refuses a change that would exceed a quota. `fileBytes` is the size of the largest file it would create. */
  requireRoom(target: Target, growth: Growth, fileBytes: number): MaybePromise<void> {
    const { maxFileBytes, maxTotalBytes, maxNodeCount } = this.#quotas;
    if (maxFileBytes !== undefined && fileBytes > maxFileBytes)
      throw failure(target, "EDQUOT", `a file may hold at most ${maxFileBytes} bytes`);
    if (maxTotalBytes !== undefined || maxNodeCount !== undefined)
      return this.#requireTotals(target, growth);
  }

  async #requireTotals(target: Target, growth: Growth): Promise<void> {
    const { maxTotalBytes, maxNodeCount } = this.#quotas;
    const { totalBytes, nodeCount } = await this.#current(target.options.signal);
    if (
      maxTotalBytes !== undefined &&
      growth.bytes > 0 &&
      totalBytes + growth.bytes > maxTotalBytes
    )
      throw failure(target, "EDQUOT", `the workspace may hold at most ${maxTotalBytes} bytes`);
    if (maxNodeCount !== undefined && growth.nodes > 0 && nodeCount + growth.nodes > maxNodeCount)
      throw failure(
        target,
        "EDQUOT",
        `the workspace may hold at most ${maxNodeCount} files and directories`,
      );
  }

  /** Adds a change to the count. */
  grew({ bytes, nodes }: Growth): void {
    if (this.#known === undefined) return;
    this.#known.totalBytes += bytes;
    this.#known.nodeCount += nodes;
  }

  /** Drops the count after a change of unknown size. */
  forget(): void {
    this.#known = undefined;
  }

  #current(signal: AbortSignal | undefined): MaybePromise<Pick<Usage, "totalBytes" | "nodeCount">> {
    const { accelerate } = this.#driver;
    if (accelerate?.countsUsage) return accelerate.usage?.({ signal }) ?? this.measure(signal);
    return this.#known ?? this.measure(signal);
  }
}

async function countTree(driver: FilesystemDriver, options: CallOptions): Promise<Usage> {
  let totalBytes = 0;
  let fileCount = 0;
  let directoryCount = 0;
  const entries = walkTree(driver, ROOT, () => true, options);
  await visitEntries(entries, new TimeSlices(options.signal), async ({ path, kind }) => {
    if (kind === "directory") {
      directoryCount++;
      return undefined;
    }
    fileCount++;
    const stat = await driver.stat(path, options);
    if (stat?.kind === "file") totalBytes += stat.sizeBytes;
    return undefined;
  });
  return Object.freeze({
    totalBytes,
    fileCount,
    directoryCount,
    nodeCount: fileCount + directoryCount,
  });
}

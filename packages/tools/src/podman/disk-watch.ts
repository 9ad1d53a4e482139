import { statfs } from "node:fs/promises";
import type { OverlayScan } from "./scan-overlay.js";

export interface DiskLimits {
  readonly diskLimitBytes: number;
  readonly maxFiles: number;
}

export interface DiskWatchOptions extends DiskLimits {
  /** The directory whose disk is looked at. */
  readonly directory: string;
  scan(): Promise<OverlayScan>;
  /** Called once, when the workspace is too large or the disk too full. */
  onFull(): void;
}

const LOOK_EVERY_MS = 500;
/** A look at many files takes its time; this often as long is left in peace after it. */
const REST_FACTOR = 10;
/** What must stay free on the disk of the host. */
export const DISK_FLOOR_BYTES = 256 * 1024 * 1024;

/** Looks after the disk while a command runs: a directory that is shared with a container has no quota. */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
    this.#schedule(LOOK_EVERY_MS);
  }

  /** Resolves when the last look is over. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #schedule(delayMs: number): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#looking = this.#look();
    }, delayMs);
  }

  async #look(): Promise<void> {
    const startedAtMs = performance.now();
    try {
      const isFull =
        (await isDiskFull(this.#options.directory)) ||
        isOver(await this.#options.scan(), this.#options);
      if (isFull && !this.#isStopped) return this.#options.onFull();
    } catch {
      // A tree that changes under the look: the next one tells.
    }
    this.#schedule(LOOK_EVERY_MS + REST_FACTOR * (performance.now() - startedAtMs));
  }
}

export function isOver(
  { totalBytes, count }: OverlayScan,
  { diskLimitBytes, maxFiles }: DiskLimits,
): boolean {
  return totalBytes > diskLimitBytes || count > maxFiles;
}

/** Whether so little is free that the host itself is in danger. */
export async function isDiskFull(directory: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize < DISK_FLOOR_BYTES;
}

import { statfs } from "node:fs/promises";
import type { OverlayScan } from "./scan-overlay.js";

export interface DiskLimits {
  readonly diskLimitBytes: number;
  readonly maxFiles: number;
}

export interface DiskWatchOptions extends DiskLimits {
  /** The directory whose disk is checked. */
  readonly directory: string;
  scan(): Promise<OverlayScan>;
  /** Called once, when the workspace is too large or the disk is nearly full. */
  onFull(): void;
}

const INTERVAL_MS = 500;
/** A scan of many files is slow. The pause after it is this many times as long. */
const REST_FACTOR = 10;
/** The space that must stay free on the host's disk. */
const DISK_FLOOR_BYTES = 256 * 1024 * 1024;

/** Checks disk usage while a command runs, because a bind-mounted directory has no quota. */
export class DiskWatch {
  readonly #options: DiskWatchOptions;
  #timer: NodeJS.Timeout | undefined;
  #looking: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(options: DiskWatchOptions) {
    this.#options = options;
    this.#schedule(INTERVAL_MS);
  }

  /** Resolves when the last scan has ended. */
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
      // The tree changed during the scan. The next scan decides.
    }
    this.#schedule(INTERVAL_MS + REST_FACTOR * (performance.now() - startedAtMs));
  }
}

export function isOver(
  { totalBytes, count }: OverlayScan,
  { diskLimitBytes, maxFiles }: DiskLimits,
): boolean {
  return totalBytes > diskLimitBytes || count > maxFiles;
}

/** Whether less than `DISK_FLOOR_BYTES` is free, which could break the host. */
export async function isDiskFull(directory: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(directory);
  return bavail * bsize < DISK_FLOOR_BYTES;
}

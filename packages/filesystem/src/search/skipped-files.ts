import type { MaybePromise } from "../driver.js";
import type { SkippedFile } from "../filesystem.js";
import type { VirtualPath } from "../virtual-path.js";

const MAX_LISTED = 100;

/** Counts what a search left out, and lists the first of it. */
export class SkippedFiles {
  readonly #maxFileBytes: number;
  readonly #sizeOf: ((path: VirtualPath) => MaybePromise<number | undefined>) | undefined;
  readonly #listed: SkippedFile[] = [];
  #count = 0;

  constructor(
    maxFileBytes: number,
    sizeOf: ((path: VirtualPath) => MaybePromise<number | undefined>) | undefined,
  ) {
    this.#maxFileBytes = maxFileBytes;
    this.#sizeOf = sizeOf;
  }

  add(path: VirtualPath, reason: SkippedFile["reason"]): void {
    this.#count++;
    if (this.#listed.length < MAX_LISTED) this.#listed.push(Object.freeze({ path, reason }));
  }

  /** A file whose content did not come; its size tells why, and is asked for only when that is shown. */
  async addUnloaded(path: VirtualPath): Promise<void> {
    const shown = this.#listed.length < MAX_LISTED;
    const sizeBytes = shown ? await this.#sizeOf?.(path) : undefined;
    const tooLarge = sizeBytes !== undefined && sizeBytes > this.#maxFileBytes;
    this.add(path, tooLarge ? "too-large" : "unreadable");
  }

  report(): { readonly skipped: readonly SkippedFile[]; readonly skippedCount: number } {
    return { skipped: Object.freeze([...this.#listed]), skippedCount: this.#count };
  }
}

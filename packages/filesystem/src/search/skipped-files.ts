import type { MaybePromise } from "../driver.js";
import type { SkippedFile } from "../filesystem.js";
import type { VirtualPath } from "../virtual-path.js";
import { sortByPath } from "./sort-by-path.js";
import type { TimeSlices } from "./time-slices.js";

const MAX_LISTED = 100;

/** Asks how large a file is, to tell one that was too large from one that could not be read. */
export type SizeOf = (path: VirtualPath) => MaybePromise<number | undefined>;

/** What a search left out. */
export class SkippedFiles {
  readonly #files: { readonly path: VirtualPath; readonly reason: "binary" | undefined }[] = [];

  /** `reason` is left out when the content did not come; the report finds out. */
  add(path: VirtualPath, reason?: "binary"): void {
    this.#files.push({ path, reason });
  }

  /** All of it counted, the first by path listed. */
  async report(
    maxFileBytes: number,
    sizeOf: SizeOf | undefined,
    slices: TimeSlices,
  ): Promise<{ readonly skipped: readonly SkippedFile[]; readonly skippedCount: number }> {
    const sorted = await sortByPath(this.#files, slices);
    const skipped: SkippedFile[] = [];
    for (const { path, reason } of sorted.slice(0, MAX_LISTED)) {
      const sizeBytes = reason === undefined ? await sizeOf?.(path) : undefined;
      const tooLarge = sizeBytes !== undefined && sizeBytes > maxFileBytes;
      const why = reason ?? (tooLarge ? "too-large" : "unreadable");
      skipped.push(Object.freeze({ path, reason: why }));
    }
    return { skipped: Object.freeze(skipped), skippedCount: sorted.length };
  }
}

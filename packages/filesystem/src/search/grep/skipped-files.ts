import type { MaybePromise } from "../../driver/driver.js";
import { compareBytes } from "../../path/byte-order.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { SkippedFile } from "../../protocol/filesystem.js";
import { sortByPath } from "../walk/sort-by-path.js";
import type { TimeSlices } from "../walk/time-slices.js";
import { isOfBackend } from "./look-into-file.js";

const MAX_LISTED = 100;

/** Asks how large a file is, to tell one that was too large from one that could not be read. */
export type SizeOf = (path: VirtualPath) => MaybePromise<number | undefined>;

export interface ReportOptions {
  readonly maxFileBytes: number;
  readonly sizeOf: SizeOf | undefined;
  /** Files from this path on are left out. @default none are */
  readonly end: string | undefined;
  readonly slices: TimeSlices;
}

export interface SkippedReport {
  /** The first ones by path. */
  readonly skipped: readonly SkippedFile[];
  /** All of them. */
  readonly skippedCount: number;
}

type KnownReason = Exclude<SkippedFile["reason"], "too-large">;

/** What a search left out. */
export class SkippedFiles {
  readonly #files: { readonly path: VirtualPath; readonly reason: KnownReason | undefined }[] = [];

  /** `reason` is left out when the content did not come; the report finds out. */
  add(path: VirtualPath, reason?: KnownReason): void {
    this.#files.push({ path, reason });
  }

  async report({ maxFileBytes, sizeOf, end, slices }: ReportOptions): Promise<SkippedReport> {
    const sorted = await sortByPath(this.#files, slices);
    const skippedCount = end === undefined ? sorted.length : countBefore(sorted, end);
    const skipped: SkippedFile[] = [];
    for (const { path, reason } of sorted.slice(0, Math.min(skippedCount, MAX_LISTED))) {
      const why =
        reason ?? ((await isLarger(path, maxFileBytes, sizeOf)) ? "too-large" : "unreadable");
      skipped.push(Object.freeze({ path, reason: why }));
    }
    return { skipped: Object.freeze(skipped), skippedCount };
  }
}

/** Of a file that may not even be asked for its size, it is known that it could not be read. */
async function isLarger(
  path: VirtualPath,
  maxFileBytes: number,
  sizeOf: SizeOf | undefined,
): Promise<boolean> {
  try {
    return ((await sizeOf?.(path)) ?? 0) > maxFileBytes;
  } catch (error) {
    if (isOfBackend(error)) throw error;
    return false;
  }
}

/** How many come before `end`, told by halves: there may be a million. */
function countBefore(sorted: readonly { readonly path: string }[], end: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    // Between both ends, so within the list.
    if (compareBytes(sorted[middle]!.path, end) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

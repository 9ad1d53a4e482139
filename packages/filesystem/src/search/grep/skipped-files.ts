import type { TimeSlices } from "../../content/time-slices.js";
import { compareBytes } from "../../path/byte-order.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { GrepResult } from "../../protocol/filesystem.js";
import type { MaybePromise } from "../../protocol/maybe-promise.js";
import { sortByPath } from "../walk/sort-by-path.js";
import { isOfBackend } from "./look-into-file.js";

type SkippedFile = GrepResult["skipped"][number];

const MAX_LISTED = 100;

/** Returns the size of a file, to distinguish one that is too large from one that cannot be read. */
export type SizeOf = (path: VirtualPath) => MaybePromise<number | undefined>;

export interface ReportOptions {
  readonly maxFileBytes: number;
  readonly sizeOf: SizeOf | undefined;
  /** Leaves out files from this path on. @default none are left out */
  readonly end: string | undefined;
  readonly slices: TimeSlices;
}

export interface SkippedReport {
  /** The first skipped files by path. */
  readonly skipped: readonly SkippedFile[];
  /** The number of all skipped files. */
  readonly skippedCount: number;
}

type KnownReason = Exclude<SkippedFile["reason"], "too-large">;

/** The files that a search skipped. */
export class SkippedFiles {
  readonly #files: { readonly path: VirtualPath; readonly reason: KnownReason | undefined }[] = [];

  /** Without a `reason`, the report finds out why the content is missing. */
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

/** A file whose size cannot be read counts as unreadable. */
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

/** The number of items before `end`. A binary search, because there may be a million items. */
function countBefore(sorted: readonly { readonly path: string }[], end: string): number {
  let [from, to] = [0, sorted.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    // `middle` is between `from` and `to`, so within the list.
    if (compareBytes(sorted[middle]!.path, end) < 0) from = middle + 1;
    else to = middle;
  }
  return from;
}

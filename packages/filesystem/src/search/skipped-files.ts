import { compareBytes } from "../byte-order.js";
import type { MaybePromise } from "../driver.js";
import type { SkippedFile } from "../filesystem.js";
import type { VirtualPath } from "../virtual-path.js";

const MAX_LISTED = 100;

/** Asks how large a file is, to tell one that was too large from one that could not be read. */
export type SizeOf = (path: VirtualPath) => MaybePromise<number | undefined>;

export interface ReportOptions {
  readonly maxFileBytes: number;
  readonly sizeOf: SizeOf | undefined;
  /** Files from this path on are left out. @default none are */
  readonly end: string | undefined;
}

type KnownReason = Exclude<SkippedFile["reason"], "too-large">;

/** What a search left out. */
export class SkippedFiles {
  readonly #files: { readonly path: VirtualPath; readonly reason: KnownReason | undefined }[] = [];

  /** `reason` is left out when the content did not come; the report finds out. */
  add(path: VirtualPath, reason?: KnownReason): void {
    this.#files.push({ path, reason });
  }

  /** All of it counted, the first by path listed. */
  async report({ maxFileBytes, sizeOf, end }: ReportOptions): Promise<{
    readonly skipped: readonly SkippedFile[];
    readonly skippedCount: number;
  }> {
    const counted = this.#files
      .filter(({ path }) => end === undefined || compareBytes(path, end) < 0)
      .sort((a, b) => compareBytes(a.path, b.path));
    const skipped: SkippedFile[] = [];
    for (const { path, reason } of counted.slice(0, MAX_LISTED)) {
      const sizeBytes = reason === undefined ? await sizeOf?.(path) : undefined;
      const tooLarge = sizeBytes !== undefined && sizeBytes > maxFileBytes;
      const why = reason ?? (tooLarge ? "too-large" : "unreadable");
      skipped.push(Object.freeze({ path, reason: why }));
    }
    return { skipped: Object.freeze(skipped), skippedCount: counted.length };
  }
}

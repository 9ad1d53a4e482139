import type { WalkEntry } from "../driver.js";
import type { Cut, GlobMatch } from "../filesystem.js";
import type { VirtualPath } from "../virtual-path.js";
import { cut } from "./cut.js";
import type { GlobPattern } from "./glob-pattern.js";
import { relativeTo } from "./should-enter.js";
import { sortByPath } from "./sort-by-path.js";
import { TimeSlices } from "./time-slices.js";
import { visitEntries } from "./visit-entries.js";

export interface GlobFilesOptions {
  /** What lies below `base`, in any order; the walk decides by `shouldEnter` where to look. */
  readonly entries: Iterable<WalkEntry> | AsyncIterable<WalkEntry>;
  readonly base: VirtualPath;
  readonly pattern: GlobPattern;
  /** Whether directories match too. Links and special files never do. */
  readonly directories: boolean;
  readonly maxMatches: number;
  readonly signal?: AbortSignal | undefined;
}

/** The first `maxMatches` matches by path in byte order, whatever the order of the walk. */
export async function globFiles(options: GlobFilesOptions): Promise<Cut<GlobMatch>> {
  const { entries, base, pattern, directories, maxMatches, signal } = options;
  const slices = new TimeSlices(signal);
  const found: GlobMatch[] = [];

  await visitEntries(entries, slices, ({ path, kind }) => {
    if (kind !== "file" && !(directories && kind === "directory")) return;
    if (pattern.matches(relativeTo(base, path)))
      found.push(Object.freeze({ path, isFile: kind === "file" }));
  });
  signal?.throwIfAborted();
  const sorted = await sortByPath(found, slices);
  return cut(sorted.slice(0, maxMatches), sorted.length > maxMatches);
}

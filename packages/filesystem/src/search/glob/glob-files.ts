import { TimeSlices } from "../../content/time-slices.js";
import type { WalkEntry } from "../../driver/driver-accelerators.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { Cut, GlobMatch } from "../../protocol/filesystem.js";
import { sortByPath } from "../walk/sort-by-path.js";
import { cut } from "../walk/truncated-list.js";
import { type Visit, visitEntries } from "../walk/visit-entries.js";
import { globMatch } from "./glob-match.js";
import type { GlobPattern } from "./glob-pattern.js";
import { relativeTo } from "./should-enter.js";

export interface GlobFilesOptions {
  /** The entries below `base` in walk order. The walk uses `shouldEnter` to decide which directories to enter. */
  readonly entries: Iterable<WalkEntry> | AsyncIterable<WalkEntry>;
  readonly base: VirtualPath;
  readonly pattern: GlobPattern;
  /** Whether directories match too. Links and special files never do. */
  readonly directories: boolean;
  readonly maxMatches: number;
  readonly signal?: AbortSignal | undefined;
  /** Created before the pattern was compiled, so that compiling counts too. @default new ones */
  readonly slices?: TimeSlices | undefined;
}

/** The first `maxMatches` matches, sorted by path in byte order. */
export async function globFiles(options: GlobFilesOptions): Promise<Cut<GlobMatch>> {
  const { entries, base, pattern, directories, maxMatches, signal } = options;
  const { slices = new TimeSlices(signal) } = options;
  const found: GlobMatch[] = [];

  const visit: Visit = (entry) => {
    const { path, name, kind } = entry;
    if (kind !== "file" && !(directories && kind === "directory")) return undefined;
    // Reading a newly joined path is slow, because V8 must flatten it. The name is available.
    const subject = pattern.byName && name !== undefined ? name : relativeTo(base, path);
    if (!pattern.matches(subject)) return undefined;
    found.push(entry.match?.() ?? globMatch(path, kind));
    // One match over the limit shows that the result is truncated.
    return found.length > maxMatches && !directories ? "stop" : undefined;
  };
  await visitEntries(entries, slices, visit, { takeWork: pattern.takeWork });
  signal?.throwIfAborted();
  // Files come in order, but a directory comes after `name-x`, just before its first `name/x`.
  const sorted = directories ? [...(await sortByPath(found, slices))] : found;
  const truncated = sorted.length > maxMatches;
  if (truncated) sorted.length = maxMatches;
  return cut(sorted, truncated);
}

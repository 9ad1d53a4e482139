import type { WalkEntry } from "../driver.js";
import type { GrepMatch, GrepResult } from "../filesystem.js";
import type { VirtualPath } from "../virtual-path.js";
import { cut } from "./cut.js";
import type { GlobPattern } from "./glob-pattern.js";
import type { GrepEngine } from "./grep-engine.js";
import type { GrepText } from "./grep-text.js";
import { loadInOrder } from "./load-in-order.js";
import { looksBinary } from "./looks-binary.js";
import { relativeTo } from "./should-enter.js";
import { type SizeOf, SkippedFiles } from "./skipped-files.js";
import { isSortedByPath, sortByPath } from "./sort-by-path.js";
import { TimeSlices } from "./time-slices.js";
import { visitEntries } from "./visit-entries.js";

export interface GrepFilesOptions {
  /** What lies below `base`, in any order; or `base` alone, when that is a file. */
  readonly entries: Iterable<WalkEntry> | AsyncIterable<WalkEntry>;
  readonly base: VirtualPath;
  /** Is closed in the end, whatever that is. */
  readonly engine: GrepEngine;
  /** Only files below `base` that match. @default every file */
  readonly glob?: GlobPattern | undefined;
  readonly maxMatches: number;
  /** A larger file is skipped and reported. */
  readonly maxFileBytes: number;
  /** Tells a file that was too large from one that could not be read. @default all count as unreadable */
  readonly sizeOf?: SizeOf | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Texts are searched together up to this many characters, because each search has its price. */
const BATCH_CHARACTERS = { least: 256 * 1024, most: 2 * 1024 * 1024 };
/** Batches grow while one takes less, and shrink when one takes more: a pattern has 15 ms at a time. */
const BATCH_MS = { least: 3, most: 8 };
/** Reading and decoding this many takes some 10 microseconds. */
const BYTES_PER_WORK = 16 * 1024;

/**
 * The first `maxMatches` matching lines by path in byte order and line, whatever the order of the walk.
 *
 * No more files are read than that takes. Links are not followed; binary, too large, unreadable and
 * special files are skipped and counted.
 */
export async function grepFiles(options: GrepFilesOptions): Promise<GrepResult> {
  const { engine, signal } = options;
  const endSearch = () => engine.close();
  signal?.addEventListener("abort", endSearch);
  try {
    const slices = new TimeSlices(signal);
    const result = await searchInOrder(await collectFiles(options, slices), options, slices);
    signal?.throwIfAborted();
    return result;
  } catch (error) {
    // The worker's end by the signal is no error of its own.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", endSearch);
    engine.close();
  }
}

async function collectFiles(
  { entries, base, glob }: GrepFilesOptions,
  slices: TimeSlices,
): Promise<readonly WalkEntry[]> {
  const files: WalkEntry[] = [];
  await visitEntries(entries, slices, (entry) => {
    if (entry.kind !== "file" && entry.kind !== "special") return;
    const chosen = glob === undefined || entry.path === base;
    if (chosen || glob.matches(relativeTo(base, entry.path))) files.push(entry);
  });
  return files;
}

/**
 * Most searches find fewer lines than they may. Those need not sort what they search, only what they
 * found; when there was more, the files are sorted and searched again from the first one on.
 */
async function searchInOrder(
  files: readonly WalkEntry[],
  options: GrepFilesOptions,
  slices: TimeSlices,
): Promise<GrepResult> {
  const sorted = await isSortedByPath(files, slices);
  let found = await searchFiles(files, options, slices);
  if (found.truncated && !sorted)
    found = await searchFiles(await sortByPath(files, slices), options, slices);
  const { maxFileBytes, sizeOf } = options;
  // Where a search was cut, it counts what it skipped up to there: how far it had read ahead is chance.
  const end = found.truncated ? (found.matches.at(-1)?.path ?? "") : undefined;
  const report = await found.skipped.report({ maxFileBytes, sizeOf, end }, slices);
  return cut(await sortByPath(found.matches, slices), found.truncated, report);
}

interface Found {
  readonly matches: readonly GrepMatch[];
  readonly truncated: boolean;
  readonly skipped: SkippedFiles;
}

async function searchFiles(
  files: readonly WalkEntry[],
  { engine, maxMatches, maxFileBytes }: GrepFilesOptions,
  slices: TimeSlices,
): Promise<Found> {
  const matches: GrepMatch[] = [];
  const skipped = new SkippedFiles();
  let batch: GrepText[] = [];
  let batchCharacters = 0;
  let fullCharacters = BATCH_CHARACTERS.least;

  /** Whether there was more than may be found. */
  const searchBatch = async (): Promise<boolean> => {
    if (batch.length === 0) return false;
    const startMs = performance.now();
    const found = await engine.search(batch, maxMatches - matches.length);
    fullCharacters = nextBatch(fullCharacters, performance.now() - startMs);
    matches.push(...found.matches);
    batch = [];
    batchCharacters = 0;
    if (slices.isOver()) await slices.pause();
    return found.more;
  };

  const loads = loadInOrder(files, maxFileBytes);
  for (const { path } of files) {
    const loading = loads.next();
    const content = loading instanceof Promise ? await loading : loading;
    const text = content?.text();
    if (content === undefined) skipped.add(path);
    else if (text === undefined || looksBinary(text)) skipped.add(path, "binary");
    else if (engine.mightMatch(text)) {
      batch.push({ path, text });
      batchCharacters += text.length;
    }
    if (batchCharacters >= fullCharacters && (await searchBatch()))
      return { matches, truncated: true, skipped };
    if (slices.spend(1 + (content?.sizeBytes ?? 0) / BYTES_PER_WORK)) await slices.pause();
  }
  return { matches, truncated: await searchBatch(), skipped };
}

function nextBatch(characters: number, tookMs: number): number {
  if (tookMs < BATCH_MS.least) return Math.min(characters * 2, BATCH_CHARACTERS.most);
  if (tookMs > BATCH_MS.most) return Math.max(characters / 2, BATCH_CHARACTERS.least);
  return characters;
}

import type { MaybePromise, WalkEntry } from "../driver.js";
import type { GrepMatch, GrepResult } from "../filesystem.js";
import type { VirtualPath } from "../virtual-path.js";
import { cut } from "./cut.js";
import type { GlobPattern } from "./glob-pattern.js";
import type { GrepEngine } from "./grep-engine.js";
import type { GrepText } from "./grep-text.js";
import { loadInOrder } from "./load-in-order.js";
import { looksBinary } from "./looks-binary.js";
import { relativeTo } from "./should-enter.js";
import { SkippedFiles } from "./skipped-files.js";
import { sortByPath } from "./sort-by-path.js";
import { TimeSlices } from "./time-slices.js";

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
  readonly sizeOf?: ((path: VirtualPath) => MaybePromise<number | undefined>) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Texts are searched together up to this many characters: each search has its price. */
const BATCH_CHARACTERS = 256 * 1024;

/**
 * The first `maxMatches` matching lines by path in byte order and line, whatever the order of the walk.
 *
 * Files are read in that order and no further than needed. Links are not followed; binary, too large,
 * unreadable and special files are skipped and counted.
 */
export async function grepFiles(options: GrepFilesOptions): Promise<GrepResult> {
  const { engine, signal } = options;
  const endSearch = () => void engine.close();
  signal?.addEventListener("abort", endSearch);
  try {
    const slices = new TimeSlices(signal);
    const files = await sortByPath(await collectFiles(options, slices), slices);
    return await searchFiles(files, options, slices);
  } catch (error) {
    // The worker's end by the signal is no error of its own.
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener("abort", endSearch);
    await engine.close();
  }
}

async function collectFiles(
  { entries, base, glob }: GrepFilesOptions,
  slices: TimeSlices,
): Promise<readonly WalkEntry[]> {
  const files: WalkEntry[] = [];
  const consider = (entry: WalkEntry): void => {
    if (entry.kind !== "file" && entry.kind !== "special") return;
    const chosen = glob === undefined || entry.path === base;
    if (chosen || glob.matches(relativeTo(base, entry.path))) files.push(entry);
  };

  // A loop of its own: awaiting each step of a walk that is at hand would cost more than the rest.
  if (Symbol.iterator in entries) {
    for (const entry of entries) {
      consider(entry);
      if (slices.spend()) await slices.pause();
    }
  } else {
    for await (const entry of entries) {
      consider(entry);
      if (slices.spend()) await slices.pause();
    }
  }
  return files;
}

async function searchFiles(
  files: readonly WalkEntry[],
  { engine, maxMatches, maxFileBytes, sizeOf, signal }: GrepFilesOptions,
  slices: TimeSlices,
): Promise<GrepResult> {
  const matches: GrepMatch[] = [];
  const skipped = new SkippedFiles(maxFileBytes, sizeOf);
  let batch: GrepText[] = [];
  let batchCharacters = 0;
  let truncated = false;

  const searchBatch = async (): Promise<void> => {
    const texts = batch;
    batch = [];
    batchCharacters = 0;
    if (texts.length === 0) return;
    const found = await engine.search(texts, maxMatches - matches.length);
    matches.push(...found.matches);
    truncated = found.more;
    if (slices.isOver()) await slices.pause();
  };

  const loads = loadInOrder(files, maxFileBytes);
  for (const file of files) {
    const loading = loads.next();
    const content = loading instanceof Promise ? await loading : loading;
    const text = content?.text();
    if (content === undefined) await skipped.addUnloaded(file.path);
    else if (text === undefined || looksBinary(text)) skipped.add(file.path, "binary");
    else if (engine.mightMatch(text)) {
      batch.push({ path: file.path, text });
      batchCharacters += text.length;
    }
    if (batchCharacters >= BATCH_CHARACTERS) await searchBatch();
    if (truncated) break;
    if (slices.spend(1 + (content?.sizeBytes ?? 0) / BYTES_PER_WORK)) await slices.pause();
  }
  if (!truncated) await searchBatch();
  signal?.throwIfAborted();
  return cut(matches, truncated, skipped.report());
}

/** Reading and decoding this many takes some 10 microseconds. */
const BYTES_PER_WORK = 16 * 1024;

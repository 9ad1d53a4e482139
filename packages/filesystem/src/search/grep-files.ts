import type { MaybePromise, WalkEntry } from "../driver.js";
import type { GrepMatch, GrepResult } from "../filesystem.js";
import type { VirtualPath } from "../virtual-path.js";
import { cut } from "./cut.js";
import type { GlobPattern } from "./glob-pattern.js";
import type { GrepEngine } from "./grep-engine.js";
import type { GrepText } from "./grep-text.js";
import { BINARY, LoadFailure, type Looked, lookIntoFile, NOT_READ } from "./look-into-file.js";
import { relativeTo } from "./should-enter.js";
import { type SizeOf, SkippedFiles } from "./skipped-files.js";
import { TimeSlices } from "./time-slices.js";
import { visitEntries } from "./visit-entries.js";

export interface GrepFilesOptions {
  /** What lies below `base`, in the order of a driver's walk; or `base` alone, when that is a file. */
  readonly entries: Iterable<WalkEntry> | AsyncIterable<WalkEntry>;
  /** Directories that the walk was not let into, as it comes to them. @default none */
  readonly closed?: readonly VirtualPath[] | undefined;
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
/** How many files are asked for ahead where each takes its time; all of them may be of the largest size. */
const LOOKS_AHEAD = 8;
/** Looking into this many characters takes some 10 microseconds. */
const CHARACTERS_PER_WORK = 16 * 1024;

/**
 * The first `maxMatches` matching lines by path in byte order and line.
 *
 * No more files are read than that takes. Links are not followed; binary, too large, unreadable and
 * special files are skipped and counted.
 */
export async function grepFiles(options: GrepFilesOptions): Promise<GrepResult> {
  const { engine, signal } = options;
  const endSearch = () => engine.close();
  signal?.addEventListener("abort", endSearch);
  try {
    const result = await new WalkSearch(options).run();
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

interface Looking {
  readonly path: VirtualPath;
  readonly looked: MaybePromise<Looked>;
}

/** One search: looks into files as the walk comes to them, and searches in batches those that might match. */
class WalkSearch {
  readonly #options: GrepFilesOptions;
  readonly #slices: TimeSlices;
  readonly #skipped = new SkippedFiles();
  readonly #matches: GrepMatch[] = [];
  readonly #ahead: Looking[] = [];
  #batch: GrepText[] = [];
  #batchCharacters = 0;
  #fullCharacters = BATCH_CHARACTERS.least;
  #truncated = false;

  constructor(options: GrepFilesOptions) {
    this.#options = options;
    this.#slices = new TimeSlices(options.signal);
  }

  async run(): Promise<GrepResult> {
    await visitEntries(this.#options.entries, this.#slices, (entry) => this.#visit(entry));
    while (this.#ahead.length > 0 && !this.#truncated) await this.#takeNext();
    if (!this.#truncated) await this.#searchBatch();
    const { maxFileBytes, sizeOf, closed = [] } = this.#options;
    for (const path of closed) this.#skipped.add(path, "unreadable");
    // Where a search was cut, it counts what it skipped up to there: how far it had read ahead is chance.
    const end = this.#truncated ? (this.#matches.at(-1)?.path ?? "") : undefined;
    const report = await this.#skipped.report({ maxFileBytes, sizeOf, end });
    return cut(this.#matches, this.#truncated, report);
  }

  #visit(entry: WalkEntry): MaybePromise<"stop" | undefined> {
    const { base, glob, engine, maxFileBytes } = this.#options;
    if (entry.kind !== "file" && entry.kind !== "special") return undefined;
    const chosen = glob === undefined || entry.path === base;
    if (!chosen && !glob.matches(relativeTo(base, entry.path))) return undefined;
    const looked = lookIntoFile(entry, engine, maxFileBytes);
    if (this.#ahead.length === 0 && !(looked instanceof Promise))
      return this.#take(entry.path, looked);
    this.#ahead.push({ path: entry.path, looked });
    return this.#ahead.length > LOOKS_AHEAD ? this.#takeNext() : undefined;
  }

  async #takeNext(): Promise<"stop" | undefined> {
    const next = this.#ahead.shift();
    return next && (await this.#take(next.path, await next.looked));
  }

  #take(path: VirtualPath, looked: Looked): MaybePromise<"stop" | undefined> {
    if (looked instanceof LoadFailure) throw looked.error;
    if (looked === NOT_READ) this.#skipped.add(path);
    else if (looked === BINARY) this.#skipped.add(path, "binary");
    if (typeof looked !== "string") return undefined;
    this.#batch.push({ path, text: looked });
    this.#batchCharacters += looked.length;
    this.#slices.spend(looked.length / CHARACTERS_PER_WORK);
    return this.#batchCharacters >= this.#fullCharacters ? this.#searchBatch() : undefined;
  }

  async #searchBatch(): Promise<"stop" | undefined> {
    if (this.#batch.length === 0) return undefined;
    const { engine, maxMatches } = this.#options;
    const startMs = performance.now();
    const found = await engine.search(this.#batch, maxMatches - this.#matches.length);
    this.#fullCharacters = nextBatch(this.#fullCharacters, performance.now() - startMs);
    this.#matches.push(...found.matches);
    this.#batch = [];
    this.#batchCharacters = 0;
    this.#truncated = found.more;
    if (this.#slices.isOver()) await this.#slices.pause();
    return found.more ? "stop" : undefined;
  }
}

function nextBatch(characters: number, tookMs: number): number {
  if (tookMs < BATCH_MS.least) return Math.min(characters * 2, BATCH_CHARACTERS.most);
  if (tookMs > BATCH_MS.most) return Math.max(characters / 2, BATCH_CHARACTERS.least);
  return characters;
}

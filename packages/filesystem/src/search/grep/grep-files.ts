import type { MaybePromise, WalkEntry } from "../../driver/driver.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { GrepMatch, GrepResult } from "../../protocol/filesystem.js";
import { isPromise } from "../../protocol/maybe-promise.js";
import type { GlobPattern } from "../glob/glob-pattern.js";
import { relativeTo } from "../glob/should-enter.js";
import { cut } from "../walk/cut.js";
import { TimeSlices, WORK_PER_LOOK } from "../walk/time-slices.js";
import { type GoesOn, visitEntries } from "../walk/visit-entries.js";
import type { GrepEngine } from "./grep-engine.js";
import {
  BINARY,
  type Loaded,
  type Looked,
  loadEntry,
  lookIntoFile,
  NOT_READ,
} from "./look-into-file.js";
import { SearchBatch } from "./search-batch.js";
import { type SizeOf, SkippedFiles } from "./skipped-files.js";

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
  /** Started before the patterns were compiled, so that this counts too. @default new ones */
  readonly slices?: TimeSlices | undefined;
}

/** How many files are asked for ahead where each takes its time; all of them may be of the largest size. */
const LOADS_AHEAD = 8;
/** The host stands a directory for up to eight files that it has looked into and passed over. */
const WORK_PER_DIRECTORY = 8;

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

interface Loading {
  readonly path: VirtualPath;
  readonly loaded: MaybePromise<Loaded>;
}

/** One search: looks into files as the walk comes to them, and searches in batches those that might match. */
class WalkSearch {
  readonly #options: GrepFilesOptions;
  readonly #slices: TimeSlices;
  readonly #skipped = new SkippedFiles();
  readonly #matches: GrepMatch[] = [];
  readonly #ahead: Loading[] = [];
  readonly #batch: SearchBatch;
  #work = 0;
  #truncated = false;

  constructor(options: GrepFilesOptions) {
    const { engine, maxMatches, signal, slices = new TimeSlices(signal) } = options;
    this.#options = options;
    this.#slices = slices;
    this.#batch = new SearchBatch(engine, maxMatches);
  }

  async run(): Promise<GrepResult> {
    const takeWork = () => this.#takeWork();
    const beforePause = () => this.#searchBatch();
    await visitEntries(this.#options.entries, this.#slices, (entry) => this.#visit(entry), {
      takeWork,
      beforePause,
    });
    if (!this.#truncated) await this.#takeAhead();
    if (!this.#truncated) await this.#searchBatch();
    const { maxFileBytes, sizeOf, closed = [] } = this.#options;
    for (const path of closed) this.#skipped.add(path, "unreadable");
    // Where a search was cut, it counts what it skipped up to there: how far it had read ahead is chance.
    const end = this.#truncated ? (this.#matches.at(-1)?.path ?? "") : undefined;
    const slices = this.#slices;
    const report = await this.#skipped.report({ maxFileBytes, sizeOf, end, slices });
    return cut(this.#matches, this.#truncated, report);
  }

  #visit(entry: WalkEntry): MaybePromise<GoesOn> {
    const { base, glob, maxFileBytes } = this.#options;
    const { path, kind } = entry;
    if (kind === "directory") this.#work += WORK_PER_DIRECTORY;
    if (kind !== "file" && kind !== "special") return undefined;
    const chosen = glob === undefined || path === base;
    if (!chosen && !glob.matches(relativeTo(base, path))) return undefined;
    const loaded = loadEntry(entry, maxFileBytes);
    if (!isPromise(loaded))
      return this.#ahead.length === 0
        ? this.#take(path, loaded)
        : this.#takeAhead({ path, loaded });
    this.#ahead.push({ path, loaded });
    return this.#ahead.length > LOADS_AHEAD ? this.#takeNext() : undefined;
  }

  /** All that was asked for and `last`, whose bytes may be lent only until the walk goes on. */
  async #takeAhead(last?: Loading): Promise<GoesOn> {
    if (last !== undefined) this.#ahead.push(last);
    while (this.#ahead.length > 0) {
      if ((await this.#takeNext()) === "stop") return "stop";
      if (this.#slices.spend(this.#takeWork())) await this.#slices.pause();
    }
    return undefined;
  }

  async #takeNext(): Promise<GoesOn> {
    const next = this.#ahead.shift();
    return next && (await this.#take(next.path, await next.loaded));
  }

  /** One after the other: looking into a long file pauses, and others that go on meanwhile would leave no pause. */
  #take(path: VirtualPath, loaded: Loaded): MaybePromise<GoesOn> {
    const looked = lookIntoFile(loaded, this.#options.engine, this.#slices);
    return isPromise(looked)
      ? looked.then((each) => this.#add(path, each))
      : this.#add(path, looked);
  }

  #add(path: VirtualPath, looked: Looked): MaybePromise<GoesOn> {
    if (looked === NOT_READ) this.#skipped.add(path);
    else if (looked === BINARY) this.#skipped.add(path, "binary");
    if (typeof looked !== "string") return undefined;
    this.#batch.add({ path, text: looked });
    return this.#batch.isFull ? this.#searchBatch() : undefined;
  }

  async #searchBatch(): Promise<GoesOn> {
    if (this.#batch.isEmpty) return undefined;
    const { matches, more } = await this.#batch.search();
    for (const match of matches) this.#matches.push(match);
    this.#truncated = more;
    // A search takes so long that the clock is to be looked at.
    this.#work += WORK_PER_LOOK;
    return more ? "stop" : undefined;
  }

  #takeWork(): number {
    const { engine, glob } = this.#options;
    const work = this.#work + this.#batch.takeWork() + engine.takeWork() + (glob?.takeWork() ?? 0);
    this.#work = 0;
    return work;
  }
}

import { TimeSlices, WORK_PER_LOOK } from "../../content/time-slices.js";
import type { WalkEntry } from "../../driver/driver-accelerators.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { GrepMatch, GrepResult } from "../../protocol/filesystem.js";
import type { MaybePromise } from "../../protocol/maybe-promise.js";
import { isPromise } from "../../protocol/maybe-promise.js";
import type { GlobPattern } from "../glob/glob-pattern.js";
import { relativeTo } from "../glob/should-enter.js";
import { cut } from "../walk/truncated-list.js";
import { type Continuation, visitEntries } from "../walk/visit-entries.js";
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
  /** The entries below `base` in walk order, or `base` alone if it is a file. */
  readonly entries: Iterable<WalkEntry> | AsyncIterable<WalkEntry>;
  /** Directories that the walk could not read. The walk adds to this list. @default none */
  readonly closed?: readonly VirtualPath[] | undefined;
  readonly base: VirtualPath;
  /** Is always closed at the end. */
  readonly engine: GrepEngine;
  /** Searches only files below `base` that match. @default every file */
  readonly glob?: GlobPattern | undefined;
  readonly maxMatches: number;
  /** A larger file is skipped and reported. */
  readonly maxFileBytes: number;
  /** Distinguishes a file that is too large from one that cannot be read. @default all count as unreadable */
  readonly sizeOf?: SizeOf | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Created before the patterns were compiled, so that compiling counts too. @default new ones */
  readonly slices?: TimeSlices | undefined;
}

/** How many files are loaded ahead from an asynchronous backend. Each may have the maximum size. */
const LOADS_AHEAD = 8;
/** On a host, up to eight files may have been read and skipped for each directory that the walk reports. */
const WORK_PER_DIRECTORY = 8;

/**
 * The first `maxMatches` matching lines, sorted by path in byte order and by line.
 *
 * Reads only as many files as needed. Links are not followed; binary, too large, unreadable and special files are skipped
 * and counted.
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
    // If the signal ended the worker, throw the signal's reason.
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

/** One search. It checks each file of the walk and searches possible matches in batches. */
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
    // A truncated search counts only files before its end, because how far it has read ahead is random.
    const end = this.#truncated ? (this.#matches.at(-1)?.path ?? "") : undefined;
    const slices = this.#slices;
    const report = await this.#skipped.report({ maxFileBytes, sizeOf, end, slices });
    return cut(this.#matches, this.#truncated, report);
  }

  #visit(entry: WalkEntry): MaybePromise<Continuation> {
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

  /** Processes all loaded files and `last`, whose bytes may be valid only until the next step of the walk. */
  async #takeAhead(last?: Loading): Promise<Continuation> {
    if (last !== undefined) this.#ahead.push(last);
    while (this.#ahead.length > 0) {
      if ((await this.#takeNext()) === "stop") return "stop";
      if (this.#slices.spend(this.#takeWork())) await this.#slices.pause();
    }
    return undefined;
  }

  async #takeNext(): Promise<Continuation> {
    const next = this.#ahead.shift();
    return next && (await this.#take(next.path, await next.loaded));
  }

  /** One file at a time: checking a long file pauses, and files checked concurrently would fill the pauses. */
  #take(path: VirtualPath, loaded: Loaded): MaybePromise<Continuation> {
    const looked = lookIntoFile(loaded, this.#options.engine, this.#slices);
    return isPromise(looked)
      ? looked.then((each) => this.#add(path, each))
      : this.#add(path, looked);
  }

  #add(path: VirtualPath, looked: Looked): MaybePromise<Continuation> {
    if (looked === NOT_READ) this.#skipped.add(path);
    else if (looked === BINARY) this.#skipped.add(path, "binary");
    if (typeof looked !== "string") return undefined;
    this.#batch.add({ path, text: looked });
    return this.#batch.isFull ? this.#searchBatch() : undefined;
  }

  async #searchBatch(): Promise<Continuation> {
    if (this.#batch.isEmpty) return undefined;
    const { matches, more } = await this.#batch.search();
    for (const match of matches) this.#matches.push(match);
    this.#truncated = more;
    // A search takes long, so check the clock next.
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

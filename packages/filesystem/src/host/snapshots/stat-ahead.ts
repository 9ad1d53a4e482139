import { Worker } from "node:worker_threads";
import type { NodeStat, ScannedDirectory } from "./scanned-tree.js";

/** For fewer files a second thread costs more than it saves. */
const MIN_FILES = 4_000;
/** Device, inode, size, mode and the two times. */
const NUMBERS_PER_FILE = 6;

/**
 * The source of the second thread. It stats files from the last directory to the first while the scan goes from the
 * first to the last, until the two meet. It changes nothing, and the scan may ignore its results.
 */
const SOURCE = `
const { lstatSync } = require("node:fs");
const { parentPort } = require("node:worker_threads");
const options = { throwIfNoEntry: false };
parentPort.on("message", ({ prefixes, names, starts, progress, numbers }) => {
  const allNames = names.split("\\0");
  for (let at = prefixes.length - 1; at > Atomics.load(progress, 0); at--) {
    for (let file = starts[at]; file < starts[at + 1]; file++) {
      let stat;
      try { stat = lstatSync(prefixes[at] + allNames[file], options); } catch {}
      numbers.set(stat === undefined ? [NaN, 0, 0, 0, 0, 0]
        : [stat.dev, stat.ino, stat.size, stat.mode, stat.mtimeMs, stat.ctimeMs], file * 6);
    }
    Atomics.store(progress, 1, at);
  }
});`;

/** The results of the second thread during one scan. */
export interface StatsAhead {
  /**
   * The stats of the entries of a directory, if they are ready. Also tells the thread how far the scan has come.
   */
  of(directory: ScannedDirectory): Float64Array | undefined;
}

/** The stat of the entry at `index` of a directory, from the second thread's results. */
export function statFrom(numbers: Float64Array, index: number): NodeStat {
  const at = index * NUMBERS_PER_FILE;
  const [dev = 0, ino = 0, size = 0, mode = 0, mtimeMs = 0, ctimeMs = 0] = [
    numbers[at],
    numbers[at + 1],
    numbers[at + 2],
    numbers[at + 3],
    numbers[at + 4],
    numbers[at + 5],
  ];
  return { dev, ino, size, mode, mtimeMs, ctimeMs };
}

/** A second thread that stats known files. */
export class StatAhead {
  readonly #rootPath: string;
  #worker: Worker | undefined;

  constructor(rootPath: string) {
    this.#rootPath = rootPath;
  }

  /** Returns `undefined` if there are too few files. */
  start(tree: ScannedDirectory): StatsAhead | undefined {
    const places = collect(tree, `${this.#rootPath}/`);
    const fileCount = places.reduce((sum, { directory }) => sum + directory.entries.length, 0);
    if (fileCount < MIN_FILES) return undefined;
    const starts = new Int32Array(places.length + 1);
    const index = new Map<ScannedDirectory, number>();
    const names: string[] = [];
    for (const [at, { directory }] of places.entries()) {
      starts[at] = names.length;
      index.set(directory, at);
      for (const { name } of directory.entries) names.push(name);
    }
    starts[places.length] = names.length;
    const progress = new Int32Array(new SharedArrayBuffer(8));
    Atomics.store(progress, 1, places.length);
    const numbers = new Float64Array(new SharedArrayBuffer(names.length * NUMBERS_PER_FILE * 8));
    const prefixes = places.map(({ prefix }) => prefix);
    const worker = this.#open();
    if (worker === undefined) return undefined;
    worker.postMessage({ prefixes, names: names.join("\0"), starts, progress, numbers });
    return {
      of(directory) {
        const at = index.get(directory);
        if (at === undefined) return undefined;
        if (at > Atomics.load(progress, 0)) Atomics.store(progress, 0, at);
        if (at < Atomics.load(progress, 1)) return undefined;
        const [from = 0, to = 0] = [starts[at], starts[at + 1]];
        return numbers.subarray(from * NUMBERS_PER_FILE, to * NUMBERS_PER_FILE);
      },
    };
  }

  close(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  /** Returns `undefined` if threads are not allowed. Then a scan only takes longer. */
  #open(): Worker | undefined {
    if (this.#worker !== undefined) return this.#worker;
    try {
      this.#worker = new Worker(SOURCE, { eval: true });
    } catch {
      return undefined;
    }
    this.#worker.on("error", () => {});
    this.#worker.unref();
    return this.#worker;
  }
}

interface Place {
  readonly prefix: string;
  readonly directory: ScannedDirectory;
}

/** Every directory, in the order of a scan. */
function collect(tree: ScannedDirectory, rootPrefix: string): Place[] {
  const places: Place[] = [];
  const open: Place[] = [{ prefix: rootPrefix, directory: tree }];
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    places.push(place);
    const { entries } = place.directory;
    for (let at = entries.length - 1; at >= 0; at--) {
      const entry = entries[at];
      if (entry?.directory !== undefined)
        open.push({ prefix: `${place.prefix}${entry.name}/`, directory: entry.directory });
    }
  }
  return places;
}

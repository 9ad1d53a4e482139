import { appendFileSync, readFileSync, type Stats, statSync } from "node:fs";
import { saveFile, TimeSlices, tolerating } from "@wink/filesystem/host";
import {
  decodeIndex,
  encodeIndex,
  encodeLine,
  FIELDS,
  type IndexLine,
  isRow,
  rowOf,
  type Watched,
} from "./index-file.js";

/** Resolution of the clock: an edit can have the same timestamp as the copy before it. */
const GRAIN_MS = 20;

/** After this many appended lines the file is written again. */
const MAX_APPENDED = 1_000;

/** The cost of a stat, which takes about two microseconds, as a share of one unit of work. */
const WORK_PER_STAT = 1 / 8;

/** The nodes whose stat has not changed since the copy. */
export interface UnchangedNodes {
  /** Whether a walk would find nothing new: every node and every rule about copying is unchanged. */
  readonly isAll: boolean;
  /** The size of an unchanged file. */
  sizeOf(path: string): number | undefined;
}

export interface UpdateOptions {
  /** When the copying began. @default now */
  readonly copiedAtMs?: number;
  /**
   * Given after a walk of the whole directory: the stats of paths that were not copied but decide about copying, such
   * as files with rules and files that were left out because of their content. @default as before
   */
  readonly watched?: ReadonlyMap<string, Stats | undefined>;
}

/**
 * The stat of each copied file and directory of the user's directory, so that an unchanged file is not read again. A
 * stat is only a cache: a node with an unknown stat is read and compared.
 */
export class HostIndex {
  readonly #file: string;
  #keys: (string | undefined)[] = [];
  #rows: Float64Array = new Float64Array();
  #watched: Watched | undefined;
  /** The position of each key. Built when it is first needed. */
  #positions: Map<string, number> | undefined;
  #appended = 0;
  #seen = "";

  constructor(file: string) {
    this.#file = file;
  }

  /** The paths of the files. */
  *files(): Iterable<string> {
    for (const key of this.#keys) if (key !== undefined && !key.endsWith("/")) yield key;
  }

  *directories(): Iterable<string> {
    for (const key of this.#keys) if (key?.endsWith("/")) yield key.slice(0, -1);
  }

  has(path: string): boolean {
    return this.#at.has(path);
  }

  hasDirectory(path: string): boolean {
    return this.#at.has(`${path}/`);
  }

  /** Whether the stat has not changed since the node was copied. */
  isUnchanged(path: string, stat: Stats): boolean {
    const at = this.#at.get(keyOf(path, stat));
    return at !== undefined && isRow(this.#rows, at * FIELDS, stat);
  }

  /** Compares the stat of every node. */
  async unchanged(
    stat: (path: string) => Stats | undefined,
    signal: AbortSignal | undefined,
  ): Promise<UnchangedNodes> {
    const slices = new TimeSlices(signal);
    const isSame = new Uint8Array(this.#keys.length);
    let isAll = this.#watched !== undefined;
    for (const [at, key] of this.#keys.entries()) {
      if (key === undefined) continue;
      const found = stat(key.endsWith("/") ? key.slice(0, -1) : key);
      if (found !== undefined && isRow(this.#rows, at * FIELDS, found)) isSame[at] = 1;
      else isAll = false;
      if (slices.spend(WORK_PER_STAT)) await slices.pause();
    }
    for (const [path, row] of Object.entries(this.#watched ?? {})) {
      const found = stat(path);
      if (row === null ? found !== undefined : found === undefined || !isRow(row, 0, found))
        isAll = false;
    }
    return {
      isAll,
      sizeOf: (path) => {
        const at = this.#at.get(path);
        return at !== undefined && isSame[at] === 1 ? this.#rows[at * FIELDS + 2] : undefined;
      },
    };
  }

  /** Records the copied nodes. A node that changed just before is recorded as unknown. */
  update(
    copied: ReadonlyMap<string, Stats>,
    removed: readonly string[],
    { copiedAtMs = Date.now(), watched }: UpdateOptions = {},
  ): void {
    const lines: IndexLine[] = [];
    for (const path of removed)
      for (const key of [path, `${path}/`]) if (this.#remove(key)) lines.push({ key });
    for (const [path, stat] of copied) {
      const key = keyOf(path, stat);
      const row = rowAt(stat, copiedAtMs);
      if (this.#put(key, row)) lines.push({ key, row });
    }
    const next = watched && watchedRows(watched, copiedAtMs);
    if (next === undefined || JSON.stringify(next) === JSON.stringify(this.#watched))
      this.#append(lines);
    else {
      this.#watched = next;
      this.#save();
    }
  }

  /** Forgets the stat of a path, so that it is compared by content. */
  doubt(path: string): void {
    const at = this.#at.get(path);
    if (at === undefined) return;
    const row = [...this.#rows.subarray(at * FIELDS, (at + 1) * FIELDS)].with(0, Number.NaN);
    if (this.#put(path, row)) this.#append([{ key: path, row }]);
  }

  /** Starts again with these files, whose stats are unknown. */
  reset(paths: readonly string[] = []): void {
    this.#keys = [...paths];
    this.#rows = new Float64Array(paths.length * FIELDS).fill(Number.NaN);
    this.#watched = undefined;
    this.#positions = undefined;
    this.#save();
  }

  /**
   * Reads the index file again if another process has changed it. Call it before the other methods, while holding the
   * lock. Returns whether there is an index.
   */
  load(): boolean {
    const identity = this.#identity();
    if (identity === this.#seen) return true;
    const file = tolerating(["ENOENT"], () => readFileSync(this.#file), undefined);
    const decoded = file && decodeIndex(file);
    this.#keys = [...(decoded?.content.keys ?? [])];
    this.#rows = decoded?.content.rows ?? new Float64Array();
    this.#watched = decoded?.content.watched;
    this.#positions = undefined;
    for (const { key, row } of decoded?.lines ?? [])
      if (row === undefined) this.#remove(key);
      else this.#put(key, row);
    this.#appended = decoded?.lines.length ?? 0;
    if (decoded !== undefined) this.#seen = identity;
    return decoded !== undefined;
  }

  get #at(): Map<string, number> {
    if (this.#positions !== undefined) return this.#positions;
    this.#positions = new Map();
    for (const [at, key] of this.#keys.entries())
      if (key !== undefined) this.#positions.set(key, at);
    return this.#positions;
  }

  #remove(key: string): boolean {
    const at = this.#at.get(key);
    if (at === undefined) return false;
    this.#at.delete(key);
    this.#keys[at] = undefined;
    return true;
  }

  /** Returns whether it changed. */
  #put(key: string, row: readonly number[]): boolean {
    const known = this.#at.get(key);
    const at = known ?? this.#keys.push(key) - 1;
    if (at * FIELDS >= this.#rows.length) {
      const rows = new Float64Array(Math.ceil((at + 1) * 1.5) * FIELDS);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    const old = this.#rows.subarray(at * FIELDS, (at + 1) * FIELDS);
    if (known !== undefined && row.every((value, index) => Object.is(value, old[index])))
      return false;
    old.set(row);
    this.#at.set(key, at);
    return true;
  }

  #append(lines: readonly IndexLine[]): void {
    if (lines.length === 0) return;
    this.#appended += lines.length;
    if (this.#appended > MAX_APPENDED || this.#seen === "") this.#save();
    else {
      appendFileSync(this.#file, lines.map(encodeLine).join(""), { mode: 0o600 });
      this.#seen = this.#identity();
    }
  }

  #save(): void {
    const kept = [...this.#keys.entries()].filter(([, key]) => key !== undefined);
    const rows = new Float64Array(kept.length * FIELDS);
    for (const [to, [from]] of kept.entries())
      rows.set(this.#rows.subarray(from * FIELDS, (from + 1) * FIELDS), to * FIELDS);
    const keys = kept.map(([, key]) => key ?? "");
    saveFile(this.#file, encodeIndex({ keys, rows, watched: this.#watched }));
    [this.#keys, this.#rows, this.#positions] = [keys, rows, undefined];
    this.#appended = 0;
    this.#seen = this.#identity();
  }

  #identity(): string {
    const stat = tolerating(["ENOENT"], () => statSync(this.#file), undefined);
    return stat === undefined ? "missing" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  }
}

function keyOf(path: string, stat: Stats): string {
  return stat.isDirectory() ? `${path}/` : path;
}

function watchedRows(watched: ReadonlyMap<string, Stats | undefined>, copiedAtMs: number): Watched {
  const rows = [...watched].map(([path, stat]) => [path, stat ? rowAt(stat, copiedAtMs) : null]);
  return Object.fromEntries(rows);
}

/** A node that changed just before it was copied is unknown. */
function rowAt(stat: Stats, copiedAtMs: number): number[] {
  const row = rowOf(stat);
  return stat.ctimeMs >= copiedAtMs - GRAIN_MS ? row.with(0, Number.NaN) : row;
}

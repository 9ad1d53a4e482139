import { appendFileSync, readFileSync, type Stats, statSync } from "node:fs";
import { saveFile, tolerating } from "@wink/filesystem/host";

/** Resolution of the clock: an edit can have the same timestamp as the copy before it. */
const GRAIN_MS = 20;

/** After this many appended lines the file is written again. */
const MAX_APPENDED = 5_000;

/**
 * The stat of each copied file and directory of the user's directory, so that an unchanged file is not read again. Only
 * a cache: a missing or old line means that the file is read and compared.
 */
export class HostIndex {
  readonly #file: string;
  #stats = new Map<string, string>();
  #appended = 0;
  #seen = "";

  constructor(file: string) {
    this.#file = file;
  }

  /** The paths of the files. */
  *files(): Iterable<string> {
    for (const path of this.#stats.keys()) if (!path.endsWith("/")) yield path;
  }

  *directories(): Iterable<string> {
    for (const path of this.#stats.keys()) if (path.endsWith("/")) yield path.slice(0, -1);
  }

  has(path: string): boolean {
    return this.#stats.has(path);
  }

  hasDirectory(path: string): boolean {
    return this.#stats.has(`${path}/`);
  }

  /** Whether the stat is that of the copied node. */
  isUnchanged(path: string, stat: Stats): boolean {
    return this.#stats.get(keyOf(path, stat)) === describe(stat);
  }

  /**
   * Records what was copied. A node that changed just before is recorded as unknown.
   *
   * @param copiedAtMs when the copying began
   */
  update(
    copied: ReadonlyMap<string, Stats>,
    removed: readonly string[],
    copiedAtMs = Date.now(),
  ): void {
    const stats = this.#stats;
    const lines: string[] = [];
    for (const path of removed) {
      if (stats.delete(path)) lines.push(lineOf(path, "gone"));
      if (stats.delete(`${path}/`)) lines.push(lineOf(`${path}/`, "gone"));
    }
    for (const [path, stat] of copied) {
      const key = keyOf(path, stat);
      const text = stat.ctimeMs >= copiedAtMs - GRAIN_MS ? "unknown" : describe(stat);
      if (stats.get(key) === text) continue;
      stats.set(key, text);
      lines.push(lineOf(key, text));
    }
    if (lines.length === 0) return;
    this.#appended += lines.length;
    if (this.#appended > MAX_APPENDED) this.#save();
    else appendFileSync(this.#file, lines.join(""), { mode: 0o600 });
    this.#seen = this.#identity();
  }

  /** Forgets the stat of a path, so that it is compared by content. */
  doubt(path: string): void {
    if (!this.#stats.has(path)) return;
    this.#stats.set(path, "unknown");
    appendFileSync(this.#file, lineOf(path, "unknown"), { mode: 0o600 });
    this.#seen = this.#identity();
  }

  clear(): void {
    this.#stats = new Map();
    this.#save();
  }

  #save(): void {
    saveFile(this.#file, [...this.#stats].map(([path, text]) => lineOf(path, text)).join(""));
    this.#appended = 0;
    this.#seen = this.#identity();
  }

  /** Reads the file again if another process has changed it. Call it before the other methods, with the lock. */
  load(): void {
    const identity = this.#identity();
    if (identity === this.#seen) return;
    const text = tolerating(["ENOENT"], () => readFileSync(this.#file, "utf8"), "");
    const stats = new Map<string, string>();
    let lines = 0;
    for (let start = 0; ; lines++) {
      const end = text.indexOf("\n", start);
      // A line without an end was cut off by a kill.
      if (end < 0) break;
      const space = text.indexOf('"', start);
      const quoted = text.slice(space, end);
      const path = quoted.includes("\\") ? JSON.parse(quoted) : quoted.slice(1, -1);
      const stat = text.slice(start, space - 1);
      if (stat === "gone") stats.delete(path);
      else stats.set(path, stat);
      start = end + 1;
    }
    this.#stats = stats;
    this.#appended = lines - stats.size;
    this.#seen = identity;
  }

  #identity(): string {
    const stat = tolerating(["ENOENT"], () => statSync(this.#file), undefined);
    return stat === undefined ? "missing" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  }
}

function keyOf(path: string, stat: Stats): string {
  return stat.isDirectory() ? `${path}/` : path;
}

function lineOf(path: string, stat: string): string {
  return `${stat} ${JSON.stringify(path)}\n`;
}

/** The size and change time of a directory tell nothing about its entries. */
function describe(stat: Stats): string {
  if (stat.isDirectory()) return `${stat.mtimeMs}`;
  const { mtimeMs, ctimeMs, size, ino, mode } = stat;
  return `${mtimeMs} ${ctimeMs} ${size} ${ino} ${mode}`;
}

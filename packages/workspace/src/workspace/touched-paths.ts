import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from "node:fs";
import { saveFile, tolerating } from "@wink/filesystem/host";

/** Means every path: a program changed files that the workspace did not see. */
const EVERYTHING = "*";

/**
 * The paths that may differ from the base, in a file that all processes share. A path is in the file before it is
 * changed, so that no change is missed after a kill. Used with the workspace's lock.
 */
export class TouchedPaths {
  readonly #file: string;
  #known: Set<string> = new Set();
  /** Identifies the content of the file that `#known` has. */
  #seen = "";

  constructor(file: string) {
    this.#file = file;
  }

  /** The paths. `undefined` if any path may have changed, also if the file is missing. */
  read(): readonly string[] | undefined {
    this.#load();
    return this.#known.has(EVERYTHING) ? undefined : [...this.#known];
  }

  add(paths: readonly string[]): void {
    this.#load();
    if (this.#known.has(EVERYTHING)) return;
    const added = paths.filter((path) => !this.#known.has(path));
    if (added.length === 0) return;
    const fd = openSync(this.#file, "a", 0o600);
    try {
      writeSync(fd, added.map((path) => `${JSON.stringify(path)}\n`).join(""));
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    for (const path of added) this.#known.add(path);
    this.#seen = this.#identity();
  }

  addEverything(): void {
    this.add([EVERYTHING]);
  }

  /** Call it only when every other path is equal to the base. */
  replace(paths: readonly string[]): void {
    saveFile(this.#file, paths.map((path) => `${JSON.stringify(path)}\n`).join(""));
    this.#known = new Set(paths);
    this.#seen = this.#identity();
  }

  #load(): void {
    const identity = this.#identity();
    if (identity === this.#seen) return;
    const text = tolerating(["ENOENT"], () => readFileSync(this.#file, "utf8"), undefined);
    const lines = text?.split("\n").slice(0, -1) ?? [JSON.stringify(EVERYTHING)];
    this.#known = new Set(lines.map((line) => JSON.parse(line)));
    this.#seen = identity;
  }

  #identity(): string {
    const stat = tolerating(["ENOENT"], () => statSync(this.#file), undefined);
    return stat === undefined ? "missing" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
  }
}

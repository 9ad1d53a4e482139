import { closeSync, fsyncSync, openSync, readdirSync, renameSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { SnapshotError } from "../../snapshots/snapshot-error.js";
import { errorCode, tolerating } from "../process/from-node-error.js";
import {
  makeDirectories,
  openMaking,
  readIfThere,
  removeIfThere,
  SHARED_DIRECTORY,
  syncDirectory,
  temporaryBeside,
  writeAll,
} from "../process/store-io.js";
import { isObjectId, type ObjectFormat } from "./object-format.js";

export interface RefFilesOptions {
  readonly format: ObjectFormat;
  readonly fsync: boolean;
  /**
   * `git` uses git's lock files, for a repository in which git runs too. A process that dies at the wrong moment
   * leaves a lock file. `none` is for a store that only WINK writes to. @default "none"
   */
  readonly locks?: "git" | "none" | undefined;
}

/** A lock file older than this was left by a dead process. git itself holds a lock for milliseconds. */
const STALE_LOCK_MS = 60_000;

/** References in git's file format: one file each, or many in `packed-refs`. */
export class RefFiles {
  readonly #directory: string;
  readonly #format: ObjectFormat;
  readonly #fsync: boolean;
  readonly #locks: "git" | "none";

  constructor(directory: string, { format, fsync, locks = "none" }: RefFilesOptions) {
    this.#directory = directory;
    this.#format = format;
    this.#fsync = fsync;
    this.#locks = locks;
  }

  read(name: string): string | undefined {
    return this.#readLoose(name) ?? this.#readPacked().get(name);
  }

  /** Whether the reference exists, even if it cannot be read. */
  has(name: string): boolean {
    return this.modifiedAtMs(name) !== undefined;
  }

  /** When the reference was last written, 0 if that is not known, or `undefined` if it does not exist. */
  modifiedAtMs(name: string): number | undefined {
    const stat = statSync(`${this.#directory}/${name}`, { throwIfNoEntry: false });
    if (stat !== undefined) return stat.mtimeMs;
    return this.#readPacked().has(name) ? 0 : undefined;
  }

  /** The names of the references below `prefix`, without it. `prefix` ends in a slash. */
  names(prefix: string): ReadonlySet<string> {
    const path = `${this.#directory}/${prefix}`;
    const loose = tolerating(["ENOENT", "ENOTDIR"], () => readdirSync(path), []);
    const names = new Set(loose.filter((name) => !name.endsWith(".lock")));
    for (const name of this.#readPacked().keys())
      if (name.startsWith(prefix)) names.add(name.slice(prefix.length));
    return names;
  }

  /** Every reference below `prefix`, by its name without the prefix. */
  list(prefix: string): ReadonlyMap<string, string> {
    const found = new Map<string, string>();
    const packed = this.#readPacked();
    for (const name of this.names(prefix)) {
      const id = this.#readLoose(prefix + name) ?? packed.get(prefix + name);
      if (id !== undefined) found.set(name, id);
    }
    return found;
  }

  write(name: string, id: string): void {
    const path = `${this.#directory}/${name}`;
    this.#replace(path, () => `${id}\n`);
  }

  delete(name: string): void {
    const path = `${this.#directory}/${name}`;
    this.#deletePacked(name);
    removeIfThere(path);
    if (this.#fsync) tolerating(["ENOENT"], () => syncDirectory(dirname(path)), undefined);
  }

  #readLoose(name: string): string | undefined {
    const path = `${this.#directory}/${name}`;
    const text = tolerating(["EISDIR"], () => readIfThere(path), undefined);
    const id = text?.toString("latin1").trim();
    return isObjectId(this.#format, id) ? id : undefined;
  }

  #readPacked(): ReadonlyMap<string, string> {
    const refs = new Map<string, string>();
    const text = readIfThere(`${this.#directory}/packed-refs`)?.toString() ?? "";
    for (const line of text.split("\n")) {
      const space = line.indexOf(" ");
      const id = line.slice(0, space);
      if (isObjectId(this.#format, id)) refs.set(line.slice(space + 1), id);
    }
    return refs;
  }

  /**
   * Removes the line of one reference, and the next line if that is the target of a tag. Every other byte stays.
   */
  #deletePacked(name: string): void {
    if (!this.#readPacked().has(name)) return;
    const path = `${this.#directory}/packed-refs`;
    this.#replace(path, () => {
      const lines = (readIfThere(path)?.toString("latin1") ?? "").split("\n");
      const at = lines.findIndex((line) =>
        line.endsWith(` ${Buffer.from(name).toString("latin1")}`),
      );
      if (at >= 0) lines.splice(at, lines[at + 1]?.startsWith("^") ? 2 : 1);
      return lines.join("\n");
    });
  }

  #replace(path: string, text: () => string): void {
    // Not next to the reference, because git reads every file there as a reference.
    const next =
      this.#locks === "git" ? `${path}.lock` : temporaryBeside(`${this.#directory}/objects/x`);
    const fd = this.#locks === "git" ? this.#takeLock(next) : openMaking(next, 0o600);
    try {
      try {
        writeAll(fd, Buffer.from(text(), "latin1"));
        if (this.#fsync) fsyncSync(fd);
      } finally {
        closeSync(fd);
      }
      if (this.#locks === "none") makeDirectories(dirname(path));
      renameSync(next, path);
    } catch (error) {
      removeIfThere(next);
      throw error;
    }
    if (this.#fsync) syncDirectory(dirname(path));
  }

  #takeLock(lock: string): number {
    makeDirectories(dirname(lock), SHARED_DIRECTORY);
    for (let attempt = 0; ; attempt++) {
      try {
        return openSync(lock, "wx", 0o644);
      } catch (error) {
        if (errorCode(error) !== "EEXIST") throw error;
        const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
        if (attempt > MAX_ATTEMPTS) throw new SnapshotError("BUSY", { cause: error });
        if (age > STALE_LOCK_MS) removeIfThere(lock);
        else sleep(RETRY_MS);
      }
    }
  }
}

const MAX_ATTEMPTS = 100;
const RETRY_MS = 5;

/** Blocks the thread. Locks on references are held for less than a millisecond, so the wait is short. */
function sleep(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

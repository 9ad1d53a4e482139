import { fchmodSync, fstatSync, renameSync, rmdirSync, unlinkSync } from "node:fs";
import type { DriverEntry } from "../../driver/driver.js";
import { baseName, parentPath, type VirtualPath } from "../../path/virtual-path.js";
import type { NodeKind } from "../../protocol/filesystem.js";
import { errorCode, Refusal, tolerating } from "../process/from-node-error.js";
import { temporaryName } from "../process/temporary-name.js";
import type { HostRoot } from "./host-root.js";
import { type MountGuard, mountGuard } from "./mount-guard.js";
import type { PinnedDirectory } from "./pinned-directory.js";

/** How many directories a removal holds open. Deeper ones are moved up first. */
const MAX_OPEN = 64;
/** How often one removal repeats a step because another process changed the tree. */
const MAX_REPEATS = 1_000;
/**
 * How many directories one removal reads. Without this limit, a process that keeps adding directories would keep
 * the removal busy forever.
 */
const MAX_READ = 5_000_000;

interface Doomed {
  readonly name: string;
  kind: NodeKind;
  /** Whether its content was removed once. The next step then removes the directory itself. */
  emptied?: boolean;
}

interface Frame {
  readonly directory: PinnedDirectory;
  readonly doomed: Doomed[];
}

/**
 * Removes entries with all their content, including temporary files, in small steps.
 *
 * Every step uses one name in an open directory and follows no link. So a process that works in the tree, swaps its
 * entries or holds a descriptor in it cannot redirect the removal. The removal never enters another mount and
 * changes no mode above the entries. It always ends: a step removes something, enters a directory, or counts
 * towards a limit.
 */
export class Removal {
  readonly #root: HostRoot;
  readonly #frames: Frame[];
  #guard: MountGuard | undefined;
  #repeats = 0;
  #read = 0;
  #firstError: unknown;
  #hasFailed = false;

  /** Removes `entries` of `directory`, and closes `directory` at the end. */
  constructor(root: HostRoot, directory: PinnedDirectory, entries: readonly DriverEntry[]) {
    this.#root = root;
    this.#frames = [{ directory, doomed: entries.map(({ name, kind }) => ({ name, kind })) }];
  }

  static at(root: HostRoot, path: VirtualPath): Removal {
    const entry: DriverEntry = { name: baseName(path), kind: "directory" };
    return new Removal(root, root.enter(parentPath(path)), [entry]);
  }

  /**
   * Does one step. Returns whether more steps are needed.
   *
   * An entry that cannot be removed is skipped. The last step throws the first error.
   */
  step(): boolean {
    const frame = this.#frames.at(-1);
    if (frame === undefined) return false;
    const next = frame.doomed.at(-1);
    try {
      if (next === undefined) this.#leave();
      else if (next.kind === "directory" && !next.emptied) this.#empty(frame, next);
      else if (this.#remove(frame, next)) frame.doomed.pop();
    } catch (error) {
      this.#skip(error);
    }
    if (this.#frames.length === 0 && this.#hasFailed) throw this.#firstError;
    return this.#frames.length > 0;
  }

  close(): void {
    while (this.#frames.length > 0) this.#leave();
  }

  #leave(): void {
    const frame = this.#frames.pop();
    if (frame !== undefined) this.#root.leave(frame.directory);
  }

  #skip(error: unknown): void {
    if (!this.#hasFailed) this.#firstError = error;
    this.#hasFailed = true;
    while (this.#frames.length > 1) this.#leave();
    this.#frames[0]?.doomed.pop();
  }

  #empty(frame: Frame, next: Doomed): void {
    next.emptied = true;
    if (this.#frames.length > MAX_OPEN) this.#moveUp(frame, next);
    else this.#enter(frame, next);
  }

  #enter(frame: Frame, next: Doomed): void {
    const directory = this.#openIfDirectory(frame, next.name);
    if (directory === undefined) return;
    const doomed = this.#root.orLeave(directory, () => {
      this.#requireOwnMount(directory);
      if (++this.#read > MAX_READ) throw new Refusal("EUNSETTLED");
      // A directory that was removed after it was opened has no entries.
      return tolerating(["ENOENT"], () => directory.entries(), []);
    });
    this.#frames.push({ directory, doomed: doomed.map(({ name, kind }) => ({ name, kind })) });
  }

  /**
   * Moves a deep directory to the top of the tree that is removed. So a deep tree needs few descriptors, and no
   * path is resolved again from the root.
   */
  #moveUp(frame: Frame, next: Doomed): void {
    const top = this.#frames[1];
    if (top === undefined) return;
    const name = temporaryName();
    for (const each of [frame, top]) this.#makeWritable(each);
    const move = () => renameSync(frame.directory.pathOf(next.name), top.directory.pathOf(name));
    try {
      this.#unlocked(frame, next.name, move);
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT") return;
      throw code === "EBUSY" || code === "EXDEV" ? new Refusal("EMOUNT") : error;
    }
    if (++this.#read > MAX_READ) throw new Refusal("EUNSETTLED");
    // Insert before the last entry, because the removal is inside that one.
    top.doomed.splice(-1, 0, { name, kind: "directory" });
  }

  #openIfDirectory(frame: Frame, name: string): PinnedDirectory | undefined {
    const open = () => this.#root.openDirectory(frame.directory, name);
    try {
      return this.#unlocked(frame, name, open);
    } catch (error) {
      const code = errorCode(error);
      // It was deleted or is not a directory any more. The next step finds out which.
      if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return undefined;
      throw error;
    }
  }

  /**
   * Runs `body`. On a permission error, gives the directory the permissions that its owner needs and runs `body`
   * again.
   */
  #unlocked<T>({ directory }: Frame, name: string, body: () => T): T {
    try {
      return body();
    } catch (error) {
      const code = errorCode(error);
      if (code !== "EACCES" && code !== "EPERM") throw error;
      if (!this.#root.unlock(directory, name, (place) => this.#requireOwnMount(place))) throw error;
      return body();
    }
  }

  /** Removes one node. Returns `false` if the step must be repeated. */
  #remove(frame: Frame, next: Doomed): boolean {
    try {
      removeNode(frame.directory, next.name);
      return true;
    } catch (error) {
      const code = errorCode(error) ?? "";
      if (code === "ENOENT") return true;
      const isLocked = code === "EACCES" || code === "EPERM";
      if (isLocked ? !this.#makeWritable(frame) : !CHANGED.includes(code)) throw error;
      if (++this.#repeats > MAX_REPEATS) throw new Refusal("EUNSETTLED");
      // The entry has content, so it is a directory now, whatever its kind was when it was listed.
      if (!isLocked) Object.assign(next, { kind: "directory", emptied: false });
      return false;
    }
  }

  /**
   * Makes a read-only directory writable, because entries cannot be removed from it otherwise. Returns whether it
   * was read-only. The directory that contains the entries keeps its mode, because it is not removed.
   */
  #makeWritable(frame: Frame): boolean {
    if (frame === this.#frames[0]) return false;
    const { fd } = frame.directory;
    const { mode, uid } = fstatSync(fd);
    if ((mode & 0o300) === 0o300 || uid !== process.geteuid?.()) return false;
    fchmodSync(fd, (mode & 0o7777) | 0o700);
    return true;
  }

  #requireOwnMount(directory: PinnedDirectory): void {
    this.#guard ??= mountGuard(this.#root);
    if (this.#guard(directory)) throw new Refusal("EMOUNT");
  }
}

/** Error codes which mean that the kind or content of an entry changed since it was listed. */
const CHANGED = ["ENOTEMPTY", "EEXIST", "EISDIR", "ENOTDIR"];

/** Removes a file, a link, a special file or an empty directory. */
export function removeNode(parent: PinnedDirectory, name: string): void {
  try {
    unlinkSync(parent.pathOf(name));
  } catch (error) {
    const code = errorCode(error);
    // Linux reports EISDIR for a directory, other systems EPERM.
    if (code !== "EISDIR" && code !== "EPERM") throw error;
    removeEmptyDirectory(parent, name, error);
  }
}

function removeEmptyDirectory(parent: PinnedDirectory, name: string, cause: unknown): void {
  try {
    rmdirSync(parent.pathOf(name));
  } catch (error) {
    throw errorCode(error) === "ENOTDIR" ? cause : error;
  }
}

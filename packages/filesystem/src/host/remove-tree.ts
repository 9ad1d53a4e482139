import { fchmodSync, fstatSync, rmdirSync, unlinkSync } from "node:fs";
import type { NodeKind } from "../filesystem.js";
import { baseName, joinPath, parentPath, type VirtualPath } from "../virtual-path.js";
import type { PinnedDirectory } from "./containment.js";
import { DirectoryStack, type Frame } from "./directory-stack.js";
import { errorCode, Refusal, tolerating } from "./from-node-error.js";
import { type HostRoot, pathIn } from "./host-root.js";
import { type MountGuard, mountGuard } from "./mount-guard.js";
import { readEntries } from "./read-entries.js";
import { TimeSlice } from "./time-slice.js";

/** How often a directory that somebody keeps filling is emptied again. */
const MOST_ROUNDS = 10;

interface Doomed {
  readonly name: string;
  readonly kind: NodeKind;
  /** How often its content was removed. */
  rounds?: number;
  emptied?: boolean;
}

interface RemovalFrame extends Frame {
  readonly doomed: Doomed[];
}

/**
 * Removes a directory with all that is in it, temporary files included.
 *
 * Links are removed as links. Where another filesystem is mounted the removal stops
 * with an error before anything of that filesystem is touched.
 */
export async function removeTree(root: HostRoot, path: VirtualPath): Promise<void> {
  const slice = new TimeSlice();
  const removal = new Removal(root, path);
  try {
    while (removal.step()) {
      if (!slice.due) continue;
      await slice.rest();
      root.requireOpen();
    }
  } finally {
    removal.close();
  }
}

class Removal {
  readonly #root: HostRoot;
  readonly #stack: DirectoryStack<RemovalFrame>;
  readonly #isForeign: MountGuard;

  constructor(root: HostRoot, path: VirtualPath) {
    this.#root = root;
    this.#isForeign = mountGuard(root);
    this.#stack = new DirectoryStack(root);
    const parent = parentPath(path);
    const doomed: Doomed[] = [{ name: baseName(path), kind: "directory" }];
    this.#stack.push({ path: parent, directory: root.enter(parent), doomed });
  }

  /** Does one thing. Answers whether anything is left to do. */
  step(): boolean {
    const frame = this.#stack.top;
    if (frame === undefined) return false;
    const next = frame.doomed.at(-1);
    if (next === undefined) this.#stack.pop();
    else if (next.kind === "directory" && !next.emptied) this.#descend(frame, next);
    else if (this.#remove(next)) frame.doomed.pop();
    return true;
  }

  close(): void {
    this.#stack.close();
  }

  #descend(frame: RemovalFrame, next: Doomed): void {
    next.emptied = true;
    next.rounds = (next.rounds ?? 0) + 1;
    const directory = this.#openIfDirectory(next.name);
    if (directory === undefined) return;
    const doomed = this.#root.orLeave(directory, () => {
      if (this.#isForeign(directory)) throw new Refusal("EMOUNT");
      // One that was removed after it was opened has nothing in it.
      return tolerating(["ENOENT"], () => readEntries(directory), []);
    });
    this.#stack.push({ path: joinPath(frame.path, next.name), directory, doomed });
  }

  #openIfDirectory(name: string): PinnedDirectory | undefined {
    const parent = this.#stack.current();
    try {
      return this.#root.openDirectory(parent, name);
    } catch (error) {
      const code = errorCode(error);
      // Gone, or something else by now: removing it tells.
      if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP") return undefined;
      if (code !== "EACCES" || !this.#root.unlock(parent, name)) throw error;
      return this.#root.openDirectory(parent, name);
    }
  }

  /** Removes one node. Answers `false` when a directory has to be emptied once more. */
  #remove(next: Doomed): boolean {
    const parent = this.#stack.current();
    try {
      removeNode(parent, next.name);
      return true;
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENOENT") return true;
      if ((code === "EACCES" || code === "EPERM") && makeWritable(parent)) return false;
      if (code !== "ENOTEMPTY" && code !== "EEXIST") throw error;
      if ((next.rounds ?? 0) >= MOST_ROUNDS) throw error;
      next.emptied = false;
      return false;
    }
  }
}

/** Removes a file, a link, a special file or an empty directory. */
export function removeNode(parent: PinnedDirectory, name: string): void {
  const path = pathIn(parent, name);
  try {
    unlinkSync(path);
  } catch (error) {
    const code = errorCode(error);
    // Linux says EISDIR for a directory, others EPERM.
    if (code !== "EISDIR" && code !== "EPERM") throw error;
    removeDirectory(path, error);
  }
}

function removeDirectory(path: string | Buffer, cause: unknown): void {
  try {
    rmdirSync(path);
  } catch (error) {
    throw errorCode(error) === "ENOTDIR" ? cause : error;
  }
}

/** Nothing can be removed from a directory that is read-only. Answers whether that was so and is no longer. */
function makeWritable({ fd }: PinnedDirectory): boolean {
  const { mode, uid } = fstatSync(fd);
  if ((mode & 0o300) === 0o300 || uid !== process.geteuid?.()) return false;
  fchmodSync(fd, (mode & 0o7777) | 0o700);
  return true;
}

import { closeSync, fchmodSync, fchownSync, fstatSync, fsyncSync } from "node:fs";
import { baseName, parentPath, type VirtualPath } from "../../path/virtual-path.js";
import type { HostRoot } from "../containment/host-root.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { removeNode } from "../containment/removal.js";
import { removeTree } from "../containment/remove-tree.js";
import { errorCode, isAbsence, tolerating } from "../process/from-node-error.js";
import { TimeSlice } from "../process/time-slice.js";
import { placeFile, placeLink, setAttributes } from "./place-node.js";
import type { RestoreStep } from "./restore-plan.js";

export interface ApplyOptions {
  readonly root: HostRoot;
  /** Reads a blob that is known to exist. */
  readonly readBlob: (id: string) => Buffer;
  readonly fsync: boolean;
}

/** A step that failed on the host. */
export interface FailedStep {
  readonly path: VirtualPath;
  readonly cause: unknown;
}

/** Applies every step that it can and returns the failed ones. Only a full disk or a closed root stops it early. */
export async function applySteps(
  steps: readonly RestoreStep[],
  options: ApplyOptions,
): Promise<readonly FailedStep[]> {
  const applying = new Applying(options);
  const failed: FailedStep[] = [];
  const slice = new TimeSlice();
  try {
    for (const step of steps) {
      try {
        await applying.take(step);
      } catch (cause) {
        if (["ENOSPC", "EDQUOT", "EBADF"].includes(errorCode(cause) ?? "")) throw cause;
        failed.push({ path: step.path, cause });
      }
      if (!slice.due) continue;
      applying.leave();
      await slice.rest();
      options.root.requireOpen();
    }
  } finally {
    applying.leave();
  }
  return failed;
}

class Applying {
  readonly #options: ApplyOptions;
  /** The parent of the last step. It stays open while consecutive steps have the same parent. */
  #parent: { readonly path: VirtualPath; readonly directory: PinnedDirectory } | undefined;

  constructor(options: ApplyOptions) {
    this.#options = options;
  }

  leave(): void {
    const { root, fsync } = this.#options;
    if (this.#parent === undefined) return;
    const { directory } = this.#parent;
    this.#parent = undefined;
    try {
      if (fsync) fsyncSync(directory.fd);
    } finally {
      root.leave(directory);
    }
  }

  async take(step: RestoreStep): Promise<void> {
    if (step.type === "remove-tree") {
      this.leave();
      const { root } = this.#options;
      try {
        await removeTree(root, step.path);
      } catch (error) {
        if (isAbsence(error)) return;
        if (!isForbidden(error) || !this.#unlock(parentPath(step.path))) throw error;
        await removeTree(root, step.path);
      }
      return;
    }
    try {
      this.#takeAtOnce(step);
    } catch (error) {
      if (!isForbidden(error) || !this.#unlock(parentPath(step.path))) throw error;
      this.#takeAtOnce(step);
    }
  }

  #takeAtOnce(step: Exclude<RestoreStep, { type: "remove-tree" }>): void {
    const { root, readBlob, fsync } = this.#options;
    const parent = this.#enter(parentPath(step.path));
    const leaf = baseName(step.path);
    if (step.type === "remove") tolerating(["ENOENT"], () => removeNode(parent, leaf), undefined);
    else if (step.type === "make-directory") this.#makeDirectory(parent, leaf);
    else if (step.type === "set-attributes") setAttributes(root, parent, leaf, step);
    else if (step.type === "link") placeLink(root, parent, leaf, readBlob(step.id), step);
    else placeFile(root, parent, leaf, [readBlob(step.id)], { ...step, fsync });
    root.requireOpen();
  }

  #makeDirectory(parent: PinnedDirectory, leaf: string): void {
    const { root } = this.#options;
    root.makeDirectory(parent, leaf);
    const made = root.openDirectory(parent, leaf);
    try {
      const { uid, gid } = fstatSync(parent.fd);
      tolerating(["EPERM"], () => fchownSync(made.fd, uid, gid), undefined);
    } finally {
      closeSync(made.fd);
    }
  }

  #enter(path: VirtualPath): PinnedDirectory {
    if (this.#parent?.path === path) return this.#parent.directory;
    this.leave();
    const directory = this.#options.root.enter(path);
    this.#parent = { path, directory };
    return directory;
  }

  /** Makes a directory of this user writable. Returns whether it changed anything. */
  #unlock(path: VirtualPath): boolean {
    this.leave();
    const { root } = this.#options;
    try {
      const { fd } = this.#enter(path);
      const { mode, uid } = fstatSync(fd);
      if ((mode & 0o300) === 0o300 || uid !== process.geteuid?.()) return false;
      fchmodSync(fd, (mode & 0o7777) | 0o700);
      return true;
    } catch (error) {
      if (!isForbidden(error) || path === "") return false;
      return root.inParent(path, (parent, leaf) => root.unlock(parent, leaf));
    }
  }
}

function isForbidden(error: unknown): boolean {
  const code = errorCode(error);
  return code === "EACCES" || code === "EPERM";
}

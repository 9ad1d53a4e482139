import { fchmodSync, fstatSync, fsyncSync } from "node:fs";
import type { DriverStat } from "../../driver/driver.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { HostRoot } from "../containment/host-root.js";
import { makeDirectory } from "../containment/make-directory.js";

/** Ours to fill, and nobody else's to look into before it has its final permissions. */
const UNFINISHED = 0o700;

/** The directories of a copy that is being made. Each gets the permissions of what it is a copy of once all is in it. */
export class CopiedDirectories {
  readonly #root: HostRoot;
  readonly #made: { readonly path: VirtualPath; readonly permissions: number }[] = [];

  constructor(root: HostRoot) {
    this.#root = root;
  }

  /** Makes one at `path`; its parent comes first. */
  make(path: VirtualPath, source: DriverStat | undefined): void {
    this.#root.inParent(path, (parent, leaf) =>
      makeDirectory(this.#root, parent, leaf, UNFINISHED),
    );
    // What has gone or become something else since it was met has no permissions to hand on.
    const handedOn = source?.kind === "directory" ? source.mode : undefined;
    // Its owner may always change it: a transaction must be able to take it back.
    this.#made.push({ path, permissions: UNFINISHED | (handedOn ?? 0) });
  }

  /** Innermost first, so that nobody gets to see one before all in it has its permissions. */
  *settle(fsync: boolean): Generator<undefined, void, undefined> {
    for (let made = this.#made.pop(); made !== undefined; made = this.#made.pop()) {
      settleOne(this.#root, made.path, made.permissions, fsync);
      yield;
    }
  }
}

function settleOne(root: HostRoot, path: VirtualPath, permissions: number, fsync: boolean): void {
  const directory = root.enter(path);
  try {
    const { mode } = fstatSync(directory.fd);
    // What a directory takes over from its parent (the group's sticky bit) stays.
    fchmodSync(directory.fd, (mode & 0o7000) | permissions);
    if (fsync) fsyncSync(directory.fd);
  } finally {
    root.leave(directory);
  }
}

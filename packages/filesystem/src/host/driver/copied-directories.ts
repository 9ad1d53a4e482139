import { fchmodSync, fstatSync, fsyncSync } from "node:fs";
import type { DriverStat } from "../../driver/driver.js";
import type { VirtualPath } from "../../path/virtual-path.js";
import type { HostRoot } from "../containment/host-root.js";
import { setTime } from "../containment/node-attributes.js";

/** Only this user can open a directory until it gets its final permissions. */
const UNFINISHED = 0o700;

interface Made {
  readonly path: VirtualPath;
  readonly permissions: number;
  readonly modifiedAtMs: number | undefined;
}

/** The directories of a copy in progress. Each gets the permissions and the time of its source after its content is complete. */
export class CopiedDirectories {
  readonly #root: HostRoot;
  readonly #made: Made[] = [];

  constructor(root: HostRoot) {
    this.#root = root;
  }

  /** Creates the directory at `path`. Its parent must exist. */
  make(path: VirtualPath, source: DriverStat | undefined): void {
    this.#root.inParent(path, (parent, leaf) => this.#root.makeDirectory(parent, leaf, UNFINISHED));
    // A source that was deleted or is not a directory any more has no permissions to copy.
    const handedOn = source?.kind === "directory" ? source.mode : undefined;
    // The owner keeps all permissions, because a transaction must be able to roll the directory back.
    const modifiedAtMs = source?.modifiedAtMs;
    this.#made.push({ path, permissions: UNFINISHED | (handedOn ?? 0), modifiedAtMs });
  }

  /**
   * Sets the final permissions, innermost directories first, so that a directory opens to others only after its
   * content is final.
   */
  *settle(fsync: boolean): Generator<undefined, void, undefined> {
    for (let made = this.#made.pop(); made !== undefined; made = this.#made.pop()) {
      settleOne(this.#root, made, fsync);
      yield;
    }
  }
}

function settleOne(
  root: HostRoot,
  { path, permissions, modifiedAtMs }: Made,
  fsync: boolean,
): void {
  root.inDirectory(path, ({ fd }) => {
    const { mode } = fstatSync(fd);
    // Keep the bits that a directory inherits from its parent, such as set-group-ID.
    fchmodSync(fd, (mode & 0o7000) | permissions);
    if (modifiedAtMs !== undefined) setTime(fd, modifiedAtMs);
    if (fsync) fsyncSync(fd);
  });
}

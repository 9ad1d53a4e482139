import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  type Stats,
} from "node:fs";
import { rawName } from "../../path/host-name.js";
import { baseName, parentPath, type VirtualPath } from "../../path/virtual-path.js";
import { errorCode, Refusal } from "../process/from-node-error.js";
import type { Containment, PinnedDirectory } from "./containment.js";

const { O_RDONLY, O_DIRECTORY, O_NONBLOCK, O_NOCTTY } = constants;
/** Linux's flag for opening a mere place, which needs no permissions. Node does not name it. */
export const O_PATH = 0x20_0000;

/**
 * The directory everything happens in, held open from the start: renaming it or
 * putting a link in its place changes nothing for us.
 *
 * Every way from here to a file leads over open directories, one segment at a
 * time, and a link on the way is refused by the kernel. No path is ever checked
 * first and used afterwards. Descriptors live for one call: one kept longer could
 * by then be a directory that was moved out of the tree.
 */
export class HostRoot {
  /** Where the directory was when it was opened. */
  readonly path: string;
  readonly directory: PinnedDirectory;
  readonly containment: Containment;
  /** By which a directory is opened. */
  readonly directoryFlags: number;
  /** By which a file is opened to be read. */
  readonly fileFlags: number;
  #closed = false;
  readonly #onClose: (() => void)[] = [];

  /** `path` is canonical. */
  constructor(path: string, containment: Containment) {
    this.path = path;
    this.containment = containment;
    this.directoryFlags = O_RDONLY | O_DIRECTORY | containment.noFollowFlag;
    // Without blocking: a FIFO would keep us waiting for its writer.
    this.fileFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | containment.noFollowFlag;
    const fd = openSync(path, this.directoryFlags);
    this.directory = { fd, prefix: containment.prefix(fd, path === "/" ? "" : path) };
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const body of this.#onClose) body();
    closeSync(this.directory.fd);
  }

  /** Runs `body`, which must not throw, before the directory is closed. */
  onClose(body: () => void): void {
    this.#onClose.push(body);
  }

  /** A number once closed may be somebody else's by now. Long work asks after every pause. */
  requireOpen(): void {
    if (this.#closed) throw new Refusal("EBADF");
  }

  /** Opens the directory at `path`. Whoever enters must `leave`. */
  enter(path: VirtualPath): PinnedDirectory {
    this.requireOpen();
    let directory = this.directory;
    for (let start = 0; start < path.length; ) {
      const slash = path.indexOf("/", start);
      const end = slash < 0 ? path.length : slash;
      let next: PinnedDirectory;
      try {
        next = this.openDirectory(directory, path.slice(start, end));
      } finally {
        this.leave(directory);
      }
      directory = next;
      start = end + 1;
    }
    return directory;
  }

  leave(directory: PinnedDirectory): void {
    if (directory !== this.directory) closeSync(directory.fd);
  }

  /** Runs `body` and leaves `directory` if that fails. */
  orLeave<T>(directory: PinnedDirectory, body: () => T): T {
    try {
      return body();
    } catch (error) {
      this.leave(directory);
      throw error;
    }
  }

  /** Runs `body` with the open parent of `path` and the last segment. */
  inParent<T>(path: VirtualPath, body: (parent: PinnedDirectory, leaf: string) => T): T {
    const parent = this.enter(parentPath(path));
    try {
      return body(parent, baseName(path));
    } finally {
      this.leave(parent);
    }
  }

  openDirectory(parent: PinnedDirectory, segment: string): PinnedDirectory {
    const path = pathIn(parent, segment);
    try {
      const fd = openSync(path, this.directoryFlags);
      // The plain form of an odd name is only ever used by a containment that ignores it.
      return { fd, prefix: this.containment.prefix(fd, path.toString()) };
    } catch (error) {
      // The kernel calls a link "not a directory"; the caller deserves the better word.
      if (errorCode(error) === "ENOTDIR" && describe(parent, segment)?.isSymbolicLink())
        throw new Refusal("ELOOP");
      throw error;
    }
  }

  /**
   * Gives a directory that this user owns the permissions to be entered. Returns whether it lacked them.
   *
   * The directory is opened with `O_PATH` first: by name, the target of a link would be changed.
   * `check` is called with the open directory before it is changed, and throws to refuse that.
   */
  unlock(
    parent: PinnedDirectory,
    segment: string,
    check: (directory: PinnedDirectory) => void = () => {},
  ): boolean {
    if (!this.containment.raceProof) return false;
    const fd = openSync(pathIn(parent, segment), O_PATH | this.directoryFlags);
    try {
      check({ fd, prefix: this.containment.prefix(fd, "") });
      const stat = fstatSync(fd);
      if (stat.uid !== process.geteuid?.() || (stat.mode & 0o700) === 0o700) return false;
      chmodSync(`/proc/self/fd/${fd}`, (stat.mode & 0o7777) | 0o700);
      return true;
    } finally {
      closeSync(fd);
    }
  }

  /** Opens what is at `leaf` for reading, without waiting. What it is, only the descriptor can tell: see `requireRegular`. */
  openLeaf(parent: PinnedDirectory, leaf: string): number {
    return openSync(pathIn(parent, leaf), this.fileFlags);
  }
}

/** What `segment` in an open directory is called towards Node. */
export function pathIn(directory: PinnedDirectory, segment: string): string | Buffer {
  const raw = rawName(segment);
  if (raw === undefined) throw new Refusal("EINVAL");
  if (typeof raw === "string") return directory.prefix + raw;
  return Buffer.concat([Buffer.from(directory.prefix), raw]);
}

/** What stands at `segment` itself, links not followed; `undefined` when nothing does. */
export function describe(directory: PinnedDirectory, segment: string): Stats | undefined {
  return lstatSync(pathIn(directory, segment), { throwIfNoEntry: false });
}

/** Refuses what is open as `fd` unless it is a regular file. */
export function requireRegular(stat: { isFile(): boolean; isDirectory(): boolean }): void {
  if (!stat.isFile()) throw new Refusal(stat.isDirectory() ? "EISDIR" : "ENOTREG");
}

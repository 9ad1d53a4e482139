import {
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  type Stats,
} from "node:fs";
import { ESCAPE_HIGH_SURROGATE, pathBytes } from "../../path/host-name.js";
import { baseName, parentPath, type VirtualPath } from "../../path/virtual-path.js";
import { errorCode, Refusal } from "../process/from-node-error.js";
import type { Containment } from "./containment.js";
import { PinnedDirectory } from "./pinned-directory.js";

const { O_RDONLY, O_DIRECTORY, O_NONBLOCK, O_NOCTTY } = constants;
/**
 * Linux's flag for opening a path without access to its content, which needs no permissions on it. Node has no
 * constant for it.
 */
export const O_PATH = 0x20_0000;

/**
 * The root directory of a workspace. It stays open, so renaming it or replacing it with a link has no effect.
 *
 * Every path is resolved through open directories, one segment at a time, and the kernel refuses links. No path is
 * checked first and used later. Descriptors live for one call only, because a directory could be moved out of the
 * tree while its descriptor is open.
 */
export class HostRoot {
  /** The path of the directory when it was opened. */
  readonly path: string;
  readonly directory: PinnedDirectory;
  readonly containment: Containment;
  /** The flags for opening a directory. */
  readonly directoryFlags: number;
  /** The flags for opening a file for reading. */
  readonly fileFlags: number;
  #closed = false;
  readonly #onClose: (() => void)[] = [];

  /** `path` must be canonical. */
  constructor(path: string, containment: Containment) {
    this.path = path;
    this.containment = containment;
    this.directoryFlags = O_RDONLY | O_DIRECTORY | containment.noFollowFlag;
    // `O_NONBLOCK`, because opening a FIFO would wait for its writer.
    this.fileFlags = O_RDONLY | O_NONBLOCK | O_NOCTTY | containment.noFollowFlag;
    const fd = openSync(path, this.directoryFlags);
    this.directory = new PinnedDirectory(fd, containment.prefix(fd, path === "/" ? "" : path));
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

  /**
   * Throws if the root is closed: the descriptor number may already belong to another file. Long work calls this
   * after every pause.
   */
  requireOpen(): void {
    if (this.#closed) throw new Refusal("EBADF");
  }

  /** Opens the directory at `path`. The caller must call `leave`. */
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

  /** Runs `body` and closes `directory` if `body` throws. */
  orLeave<T>(directory: PinnedDirectory, body: () => T): T {
    try {
      return body();
    } catch (error) {
      this.leave(directory);
      throw error;
    }
  }

  /** Runs `body` with the directory at `path` open. */
  inDirectory<T>(path: VirtualPath, body: (open: PinnedDirectory) => T): T {
    const directory = this.enter(path);
    try {
      return body(directory);
    } finally {
      this.leave(directory);
    }
  }

  /** Runs `body` with the open parent directory of `path` and the last segment. */
  inParent<T>(path: VirtualPath, body: (parent: PinnedDirectory, leaf: string) => T): T {
    return this.inDirectory(parentPath(path), (parent) => body(parent, baseName(path)));
  }

  /**
   * The stat of a node by its name, without following it, or `undefined`. Takes half the time of a stat through open
   * directories, but a link in place of a parent can redirect it. So use it only to confirm a known stat, and never to
   * decide what a later call does. An absolute path is not below the root.
   */
  peek(path: VirtualPath): Stats | undefined {
    const absolute = path.startsWith("/") ? path : path === "" ? this.path : this.#below(path);
    try {
      return lstatSync(rawPath(absolute), { throwIfNoEntry: false });
    } catch (error) {
      if (errorCode(error) === undefined) throw error;
      return undefined;
    }
  }

  #below(path: VirtualPath): string {
    return this.path === "/" ? `/${path}` : `${this.path}/${path}`;
  }

  openDirectory(parent: PinnedDirectory, segment: string): PinnedDirectory {
    const path = parent.pathOf(segment);
    try {
      const fd = openSync(path, this.directoryFlags);
      // For a name that is not UTF-8 this text is wrong, but only a containment that ignores the path gets such
      // names.
      return new PinnedDirectory(fd, this.containment.prefix(fd, path.toString()));
    } catch (error) {
      // The kernel reports a link as "not a directory". Report it as a link instead.
      if (errorCode(error) === "ENOTDIR" && parent.stat(segment)?.isSymbolicLink())
        throw new Refusal("ELOOP");
      throw error;
    }
  }

  /**
   * Gives a directory of this user the permissions to be entered. Returns whether it lacked them.
   *
   * The directory is opened with `O_PATH` first, because a chmod by name would change the target of a link. `check`
   * is called with the open directory before the change and throws to refuse it.
   */
  unlock(
    parent: PinnedDirectory,
    segment: string,
    check: (directory: PinnedDirectory) => void = () => {},
  ): boolean {
    if (!this.containment.raceProof) return false;
    const fd = openSync(parent.pathOf(segment), O_PATH | this.directoryFlags);
    try {
      check(new PinnedDirectory(fd, this.containment.prefix(fd, "")));
      const stat = fstatSync(fd);
      if (stat.uid !== process.geteuid?.() || (stat.mode & 0o700) === 0o700) return false;
      chmodSync(`/proc/self/fd/${fd}`, (stat.mode & 0o7777) | 0o700);
      return true;
    } finally {
      closeSync(fd);
    }
  }

  /** Creates a directory with these permissions, independent of the umask. An existing directory is not changed. */
  makeDirectory(parent: PinnedDirectory, leaf: string, permissions = 0o755): void {
    try {
      mkdirSync(parent.pathOf(leaf), permissions);
    } catch (error) {
      if (errorCode(error) !== "EEXIST") throw error;
      const existing = parent.stat(leaf);
      if (existing?.isSymbolicLink()) throw new Refusal("ELOOP");
      if (existing?.isDirectory()) return;
      throw error;
    }
    // Keep the bits that a directory inherits from its parent, such as set-group-ID.
    if (this.containment.raceProof)
      this.setDirectoryMode(parent, leaf, (mode) => (mode & 0o7000) | permissions);
  }

  /**
   * Sets the mode of the directory `leaf` to the result of `modeFor`, which gets the current mode.
   *
   * The directory is opened first, because a chmod by name would change the target of a link.
   */
  setDirectoryMode(
    parent: PinnedDirectory,
    leaf: string,
    modeFor: (current: number) => number,
  ): void {
    const { raceProof } = this.containment;
    // Without /proc, only a readable directory can be opened.
    const flags = (raceProof ? O_PATH : O_RDONLY) | this.directoryFlags;
    const fd = openSync(parent.pathOf(leaf), flags);
    try {
      const current = fstatSync(fd).mode & 0o7777;
      const wanted = modeFor(current);
      if (current === wanted) return;
      if (raceProof) chmodSync(`/proc/self/fd/${fd}`, wanted);
      else fchmodSync(fd, wanted);
    } finally {
      closeSync(fd);
    }
  }

  /**
   * Opens the node `leaf` for reading, without blocking. Check its kind on the descriptor: see `requireRegular`.
   */
  openLeaf(parent: PinnedDirectory, leaf: string): number {
    return openSync(parent.pathOf(leaf), this.fileFlags);
  }
}

/** The bytes on disk, if the path has names that are not text. */
function rawPath(path: string): string | Buffer {
  return path.includes(ESCAPE_HIGH_SURROGATE) ? Buffer.from(pathBytes(path)) : path;
}

/** Throws unless `stat` describes a regular file. */
export function requireRegular(stat: { isFile(): boolean; isDirectory(): boolean }): void {
  if (!stat.isFile()) throw new Refusal(stat.isDirectory() ? "EISDIR" : "ENOTREG");
}

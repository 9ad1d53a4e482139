import { closeSync, fstatSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { temporaryName } from "../process/temporary-name.js";
import type { HostRoot } from "./host-root.js";
import type { PinnedDirectory } from "./pinned-directory.js";
import {
  keyOf,
  LEFT,
  RECORD_BYTES,
  RELEASED,
  ROOT_PATH,
  registryDirectory,
} from "./temporary-registry.js";

/** The temporary files that this process is writing, by name. */
const own = new Map<string, TemporaryClaim>();
const files = new WeakMap<HostRoot, ClaimFile>();
/** The registry files of this process. */
const ownPaths = new Set<string>();

/** A reserved name for a temporary file or directory in one directory. */
export class TemporaryClaim {
  readonly name: string;
  /** The device and inode of the directory. */
  readonly place: string;
  /**
   * The descriptor of the file with this name. Without it, any node with this name counts as the temporary file.
   */
  fd: number | undefined;
  readonly #file: ClaimFile;
  readonly #slot: number;

  constructor(file: ClaimFile, directory: PinnedDirectory) {
    this.#file = file;
    this.name = temporaryName();
    this.place = placeOf(directory);
    this.#slot = file.add(keyOf(this.place, this.name));
    own.set(this.name, this);
  }

  /** Call when no node has the name any more. */
  release(): void {
    own.delete(this.name);
    this.#file.release(this.#slot);
  }

  /**
   * Call if the node could not be removed. It is visible from now on, and is removed after this process is dead.
   */
  abandon(): void {
    own.delete(this.name);
    this.#file.abandon(this.#slot);
  }
}

/** Call before a temporary file or directory is created in `directory`. */
export function claimTemporary(root: HostRoot, directory: PinnedDirectory): TemporaryClaim {
  let file = files.get(root);
  if (file === undefined) {
    file = new ClaimFile(root);
    files.set(root, file);
    root.onClose(() => file?.close());
  }
  return new TemporaryClaim(file, directory);
}

/** Whether `name` in an open directory is a temporary file of this process. `place` is the directory's identity. */
export function isOwnTemporary(directory: PinnedDirectory, place: string, name: string): boolean {
  const claim = own.get(name);
  if (claim?.place !== place) return false;
  // Another process may have put its own file there.
  return claim.fd === undefined || fstatSync(claim.fd).ino === directory.stat(name)?.ino;
}

/** Whether a segment of `path` is the name of a temporary file that this process is writing. */
export function isBelowOwnTemporary(path: string): boolean {
  return own.size > 0 && path.split("/").some((segment) => own.has(segment));
}

/** Whether a file of the registry belongs to a workspace that this process has open. */
export function isOwnRegistryFile(path: string): boolean {
  return ownPaths.has(path);
}

/** The device and inode of an open directory. */
export function placeOf({ fd }: PinnedDirectory): string {
  const { dev, ino } = fstatSync(fd);
  return `${dev}:${ino}`;
}

/**
 * The registry file of one workspace of this process, created with the first claim.
 *
 * If it cannot be written, writes to the workspace still work. But other processes then see the temporary files,
 * and the files of a killed process are not removed.
 */
class ClaimFile {
  readonly #root: HostRoot;
  readonly #record = Buffer.alloc(RECORD_BYTES, "\n");
  readonly #freeSlots: number[] = [];
  #slotCount = 0;
  /** Where the records start. */
  #startBytes = 0;
  #hasLeft = false;
  #file: { readonly fd: number; readonly path: string } | undefined;
  #isOpened = false;

  constructor(root: HostRoot) {
    this.#root = root;
  }

  /** Returns the slot of the record. */
  add(key: string): number {
    const slot = this.#freeSlots.pop() ?? this.#slotCount++;
    if (!this.#isOpened) this.#open();
    if (this.#file !== undefined) {
      const length = this.#record.write(key, 0, RECORD_BYTES - 1, "latin1");
      this.#record.fill(SPACE, length, RECORD_BYTES - 1);
      this.#write(slot, this.#record);
    }
    return slot;
  }

  release(slot: number): void {
    this.#write(slot, RELEASED);
    this.#freeSlots.push(slot);
  }

  abandon(slot: number): void {
    this.#write(slot, LEFT);
    this.#hasLeft = true;
  }

  close(): void {
    if (this.#file === undefined) return;
    const { fd, path } = this.#file;
    this.#file = undefined;
    ownPaths.delete(path);
    ignoringErrors(() => closeSync(fd));
    // The next process that opens the workspace removes the files recorded in it.
    if (this.#hasLeft) ignoringErrors(() => renameSync(path, `${path}~closed`));
    else ignoringErrors(() => unlinkSync(path));
  }

  #write(slot: number, bytes: Uint8Array): void {
    if (this.#file === undefined) return;
    try {
      const position = this.#startBytes + slot * RECORD_BYTES;
      writeSync(this.#file.fd, bytes, 0, bytes.length, position);
    } catch {
      // A full or broken temporary directory must not make a write to the workspace fail.
    }
  }

  #open(): void {
    this.#isOpened = true;
    const directory = registryDirectory(this.#root.path, true);
    if (directory === undefined) return;
    const path = `${directory}/${temporaryName()}~${placeOf(this.#root.directory)}`;
    ignoringErrors(() => {
      this.#file = { fd: openSync(path, "wx", 0o600), path };
      ownPaths.add(path);
      const line = Buffer.from(`${ROOT_PATH}${encodeURI(this.#root.path)}\n`);
      this.#startBytes = line.length;
      writeSync(this.#file.fd, line, 0, line.length, 0);
    });
  }
}

const SPACE = 0x20;

function ignoringErrors(body: () => void): void {
  try {
    body();
  } catch {
    // The registry is best effort, so its errors are ignored, as in `#write`.
  }
}

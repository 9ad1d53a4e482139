import { type BigIntStats, closeSync, fstatSync } from "node:fs";
import type { DriverReader, DriverWriter } from "../../driver/driver-accelerators.js";
import type { FilesystemError } from "../../protocol/filesystem-error.js";
import type { HostRoot } from "../containment/host-root.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { fromNodeError, Refusal } from "../process/from-node-error.js";
import { runEvery } from "../process/run-every.js";
import { TimeSlice } from "../process/time-slice.js";
import { readUpTo, requireUnchanged } from "./read-file.js";
import { type PublishOptions, TemporaryFile } from "./temporary-file.js";
import { copyExisting, copyOpen } from "./write-file.js";

/** The operation and path of a stream, for its error messages. */
export interface StreamSite {
  readonly operation: string;
  readonly path: string;
  /** Called once, after the stream has closed its descriptors. */
  readonly onClose: () => void;
}

/** Reads the file that was opened, even after its name was given to another file. */
export class HostReader implements DriverReader {
  readonly sizeBytes: number;
  readonly #fd: number;
  readonly #before: BigIntStats;
  readonly #site: StreamSite;
  #closed = false;

  /** The reader closes `fd`. */
  constructor(fd: number, before: BigIntStats, site: StreamSite) {
    this.#fd = fd;
    this.#before = before;
    this.#site = site;
    this.sizeBytes = Number(before.size);
  }

  read(offset: number, length: number): Uint8Array {
    try {
      if (this.#closed) throw new Refusal("EBADF");
      const wanted = Math.max(0, Math.min(length, this.sizeBytes - offset));
      const bytes = readUpTo(this.#fd, offset, wanted);
      requireUnchanged(this.#fd, this.#before);
      return bytes;
    } catch (error) {
      throw fromNodeError(error, this.#site.operation, this.#site.path);
    }
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#site.onClose();
    try {
      closeSync(this.#fd);
    } catch (error) {
      throw fromNodeError(error, this.#site.operation, this.#site.path);
    }
  }
}

export interface HostWriterTarget {
  readonly root: HostRoot;
  /** The open parent directory. The writer closes it. */
  readonly directory: PinnedDirectory;
  readonly leaf: string;
  readonly publish: PublishOptions;
  /** Opens the directory that is at the parent's path now. */
  readonly reopenDirectory: () => PinnedDirectory;
}

/**
 * Fills a temporary file next to the target and puts it in place at the end.
 *
 * The path counts: if the parent was removed, moved or recreated since the opening, the content goes to the
 * directory that is at the parent's path now.
 */
export class HostWriter implements DriverWriter {
  readonly #target: HostWriterTarget;
  readonly #file: TemporaryFile;
  readonly #site: StreamSite;
  /** The copy that a running commit puts in place instead of `#file`. */
  #copy: TemporaryFile | undefined;
  #closed = false;

  constructor(target: HostWriterTarget, file: TemporaryFile, site: StreamSite) {
    this.#target = target;
    this.#file = file;
    this.#site = site;
  }

  write(bytes: Uint8Array): void {
    try {
      this.#requireOpen();
      this.#file.write(bytes);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  async commit(): Promise<void> {
    const { root, directory, leaf, publish, reopenDirectory } = this.#target;
    try {
      this.#requireOpen();
      const place = reopenDirectory();
      try {
        const isBeside = isSame(place, directory) && this.#file.hasName;
        if (isBeside && publish.mode !== "append") this.#file.publish(leaf, publish);
        else await this.#publishCopy(place);
      } finally {
        root.leave(place);
      }
      this.#finish();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  abort(): void {
    if (this.#closed) return;
    try {
      runEvery([() => this.#copy?.discard(), () => this.#file.discard(), () => this.#finish()]);
    } catch (error) {
      throw this.#failure(error);
    }
  }

  /** Puts a copy in place. Needed for an append, and if the temporary file itself cannot be renamed. */
  async #publishCopy(place: PinnedDirectory): Promise<void> {
    const { root, leaf, publish } = this.#target;
    const copy = new TemporaryFile(root, place);
    this.#copy = copy;
    try {
      await new TimeSlice().finish(this.#fill(copy, place));
      this.#requireOpen();
      this.#requireInPlace(place);
      copy.publish(leaf, publish);
      this.#file.discard();
    } catch (error) {
      copy.discard();
      throw error;
    }
  }

  /** An append goes to the end of the current file, not of the file at the opening. */
  *#fill(copy: TemporaryFile, place: PinnedDirectory): Generator<void, void, void> {
    const { root, leaf, publish } = this.#target;
    if (publish.mode === "append") yield* this.#whileOpen(copyExisting(root, place, leaf, copy));
    // Read through the descriptor, because the name may have been deleted with its directory.
    yield* this.#whileOpen(copyOpen(this.#file.fd, copy));
  }

  /**
   * Checks after every pause that the writer is open, because the number of a closed descriptor may belong to
   * another file.
   */
  *#whileOpen(work: Generator<void, unknown, void>): Generator<void, void, void> {
    for (const _ of work) {
      yield;
      this.#requireOpen();
    }
  }

  /** Fails if the directory was moved during a pause: it may be outside of the root. */
  #requireInPlace(place: PinnedDirectory): void {
    const { root, reopenDirectory } = this.#target;
    const now = reopenDirectory();
    try {
      if (!isSame(now, place)) throw new Refusal("ESTALE");
    } finally {
      root.leave(now);
    }
  }

  #requireOpen(): void {
    if (this.#closed) throw new Refusal("EBADF");
  }

  #failure(error: unknown): FilesystemError {
    return fromNodeError(error, this.#site.operation, this.#site.path);
  }

  #finish(): void {
    // `abort` may have run while a commit was finishing.
    if (this.#closed) return;
    this.#closed = true;
    this.#site.onClose();
    this.#target.root.leave(this.#target.directory);
  }
}

/** Whether both are the same directory. An open directory keeps its inode number, even after it was removed. */
function isSame(one: PinnedDirectory, other: PinnedDirectory): boolean {
  const first = fstatSync(one.fd, { bigint: true });
  const second = fstatSync(other.fd, { bigint: true });
  return first.ino === second.ino && first.dev === second.dev;
}

import { type BigIntStats, closeSync, fstatSync } from "node:fs";
import type { DriverReader, DriverWriter } from "../driver.js";
import type { FilesystemError } from "../filesystem-error.js";
import type { PinnedDirectory } from "./containment.js";
import { fromNodeError, Refusal } from "./from-node-error.js";
import type { HostRoot } from "./host-root.js";
import { readUpTo, requireUnchanged } from "./read-file.js";
import { type PublishOptions, TemporaryFile } from "./temporary-file.js";
import { TimeSlice } from "./time-slice.js";
import { copyExisting, copyOpen } from "./write-file.js";

/** What a stream needs to know to report its failures. */
export interface StreamSite {
  readonly operation: string;
  readonly path: string;
  /** Called once, when the stream holds nothing any more. */
  readonly onClose: () => void;
}

/** Reads the file that was there at the opening, whatever has its name by now. */
export class HostReader implements DriverReader {
  readonly sizeBytes: number;
  readonly #fd: number;
  readonly #before: BigIntStats;
  readonly #site: StreamSite;
  #closed = false;

  /** Takes the descriptor over. */
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
    closeSync(this.#fd);
    this.#site.onClose();
  }
}

export interface HostWriterTarget {
  readonly root: HostRoot;
  /** The open parent, which the writer takes over. */
  readonly directory: PinnedDirectory;
  readonly leaf: string;
  readonly publish: PublishOptions;
  /** Opens the parent anew, to see whether it is still the same. */
  readonly reopenDirectory: () => PinnedDirectory;
}

/** Fills a temporary file beside the target and puts it in place at the end. */
export class HostWriter implements DriverWriter {
  readonly #target: HostWriterTarget;
  readonly #file: TemporaryFile;
  readonly #site: StreamSite;
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
    const { leaf, publish } = this.#target;
    try {
      this.#requireOpen();
      this.#requireSameDirectory();
      if (publish.mode === "append") await this.#publishAppended();
      else this.#file.publish(leaf, publish);
      this.#finish();
    } catch (error) {
      throw this.#failure(error);
    }
  }

  abort(): void {
    if (this.#closed) return;
    this.#file.discard();
    this.#finish();
  }

  /** A parent that was moved or replaced since the opening is no place for the file any more. */
  #requireSameDirectory(): void {
    const { root, directory, reopenDirectory } = this.#target;
    const now = reopenDirectory();
    try {
      const before = fstatSync(directory.fd);
      const after = fstatSync(now.fd);
      if (before.ino !== after.ino || before.dev !== after.dev) throw new Refusal("ESTALE");
    } finally {
      root.leave(now);
    }
  }

  /** What is appended goes to the end of the file as it is now, not as it was at the opening. */
  async #publishAppended(): Promise<void> {
    const { root, directory, leaf, publish } = this.#target;
    const slice = new TimeSlice();
    const whole = new TemporaryFile(directory);
    try {
      await slice.finish(copyExisting(root, directory, leaf, whole));
      await slice.finish(copyOpen(this.#file.fd, whole));
      this.#requireOpen();
      whole.publish(leaf, publish);
      this.#file.discard();
    } catch (error) {
      whole.discard();
      throw error;
    }
  }

  #requireOpen(): void {
    if (this.#closed) throw new Refusal("EBADF");
  }

  #failure(error: unknown): FilesystemError {
    return fromNodeError(error, this.#site.operation, this.#site.path);
  }

  #finish(): void {
    this.#closed = true;
    this.#target.root.leave(this.#target.directory);
    this.#site.onClose();
  }
}

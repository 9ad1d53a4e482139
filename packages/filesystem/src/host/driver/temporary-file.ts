import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import { permissionsAfter } from "../../driver/permissions.js";
import type { WriteMode } from "../../protocol/filesystem.js";
import { type HostRoot, requireRegular } from "../containment/host-root.js";
import { setTime } from "../containment/node-attributes.js";
import { linkOrReserve, type PinnedDirectory } from "../containment/pinned-directory.js";
import { claimTemporary, type TemporaryClaim } from "../containment/temporary-claims.js";
import { Refusal, tolerating } from "../process/from-node-error.js";

const { O_RDWR, O_CREAT, O_EXCL } = constants;

export interface PublishOptions {
  readonly mode: WriteMode;
  /** Sets or clears the execute bits. @default unchanged; clear on a new file */
  readonly executable?: boolean | undefined;
  /** The permission bits, also if a file is replaced. @default the bits of the replaced file, or 0644 for a new file */
  readonly permissions?: number | undefined;
  /** The time of the last change. @default the current time */
  readonly modifiedAtMs?: number | undefined;
  /** Whether a link at the target is replaced. @default false: it is refused */
  readonly replacesLink?: boolean | undefined;
  readonly fsync: boolean;
}

/**
 * A file that is being written, under a registered name.
 *
 * It is created in the directory of its target, so that one atomic rename puts it in place. A hard link or an open
 * reader of the old file keeps the old content.
 */
export class TemporaryFile {
  readonly #directory: PinnedDirectory;
  readonly #claim: TemporaryClaim;
  /** Also open for reading, so that its content can be copied. */
  readonly fd: number;
  #open = true;

  constructor(root: HostRoot, directory: PinnedDirectory) {
    this.#directory = directory;
    this.#claim = claimTemporary(root, directory);
    try {
      // Other users must not read it before it has its final permissions.
      this.fd = openSync(this.#path, O_RDWR | O_CREAT | O_EXCL, 0o600);
    } catch (error) {
      this.#claim.release();
      throw error;
    }
    this.#claim.fd = this.fd;
  }

  write(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length; )
      written += writeSync(this.fd, bytes, written, bytes.length - written);
  }

  /** Whether it still has a name. Without one its content can be read from `fd`. */
  get hasName(): boolean {
    return fstatSync(this.fd).nlink > 0;
  }

  /** Puts the file in place at `leaf` atomically. */
  publish(leaf: string, options: PublishOptions): void {
    const { mode, fsync } = options;
    const existing = this.#directory.stat(leaf);
    if (existing !== undefined && !(options.replacesLink && existing.isSymbolicLink()))
      requireReplaceable(existing, mode);
    this.#takeAfter(existing, options);
    if (options.modifiedAtMs !== undefined) setTime(this.fd, options.modifiedAtMs);
    if (fsync) fsyncSync(this.fd);
    const to = this.#directory.pathOf(leaf);
    if (mode === "create") linkOrReserve(this.#path, to);
    else renameSync(this.#path, to);
    this.#claim.release();
    this.#close();
    if (fsync) fsyncSync(this.#directory.fd);
  }

  /**
   * Call while the directory is open, even if it has been moved or removed. A file that cannot be removed is not a
   * failure: the next opening removes it.
   */
  discard(): void {
    if (!this.#open) return;
    // The claim must not refer to a closed descriptor: every later listing would fail with EBADF.
    if (this.#remove()) this.#claim.release();
    else this.#claim.abandon();
    this.#close();
  }

  /** Returns whether no file has the name any more. */
  #remove(): boolean {
    try {
      unlinkSync(this.#path);
      return true;
    } catch {
      return this.#isNameless();
    }
  }

  #isNameless(): boolean {
    try {
      return !this.hasName;
    } catch {
      return false;
    }
  }

  get #path(): string | Buffer {
    return this.#directory.pathOf(this.#claim.name);
  }

  /** Sets the mode explicitly, so that it is independent of the umask. */
  #takeAfter(existing: Stats | undefined, options: PublishOptions): void {
    fchmodSync(this.fd, permissionsAfter(existing?.mode, options));
    if (existing === undefined || existing.uid === process.geteuid?.()) return;
    // Only a privileged process can change the owner. For others the file becomes their own.
    tolerating(["EPERM"], () => fchownSync(this.fd, existing.uid, existing.gid), undefined);
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.fd);
  }
}

/** Throws if the existing node must not be overwritten. */
export function requireReplaceable(existing: Stats, mode: WriteMode): void {
  if (mode === "create") throw new Refusal("EEXIST");
  if (existing.isSymbolicLink()) throw new Refusal("ELOOP");
  requireRegular(existing);
}

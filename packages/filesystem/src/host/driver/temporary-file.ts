import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
  writeSync,
} from "node:fs";
import type { WriteMode } from "../../protocol/filesystem.js";
import type { PinnedDirectory } from "../containment/containment.js";
import { describe, type HostRoot, pathIn, requireRegular } from "../containment/host-root.js";
import { claimTemporary, type TemporaryClaim } from "../containment/temporary-claims.js";
import { ABSENCES, errorCode, Refusal, tolerating } from "../process/from-node-error.js";

const { O_RDWR, O_WRONLY, O_CREAT, O_EXCL } = constants;

export interface PublishOptions {
  readonly mode: WriteMode;
  /** Sets or clears the execute bits. @default kept; clear on a new file */
  readonly executable?: boolean | undefined;
  /** The permission bits, whatever is replaced. @default those of what is replaced, else 0644 */
  readonly permissions?: number | undefined;
  readonly fsync: boolean;
}

/**
 * Content on its way into a directory, under a registered name.
 *
 * It is created in the directory of its target, so that one rename on one filesystem puts it in place. A hard link
 * or an open reader of the old file keeps the old content.
 */
export class TemporaryFile {
  readonly #directory: PinnedDirectory;
  readonly #claim: TemporaryClaim;
  /** Open for reading too, to be copied from. */
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

  /** Puts the file in place at `leaf` in one step. */
  publish(leaf: string, options: PublishOptions): void {
    const { mode, fsync } = options;
    const existing = describe(this.#directory, leaf);
    if (existing !== undefined) requireReplaceable(existing, mode);
    this.#takeAfter(existing, options);
    if (fsync) fsyncSync(this.fd);
    const to = pathIn(this.#directory, leaf);
    if (mode === "create") linkOrReserve(this.#path, to);
    else renameSync(this.#path, to);
    this.#claim.release();
    this.#close();
    if (fsync) fsyncSync(this.#directory.fd);
  }

  /** Call while the directory is open, even if it has been moved or removed. */
  discard(): void {
    if (!this.#open) return;
    try {
      const isGone = tolerating(LEFT_ALONE, () => unlinkSync(this.#path) === undefined, false);
      if (isGone || !this.hasName) this.#claim.release();
      else this.#claim.abandon();
    } finally {
      this.#close();
    }
  }

  get #path(): string | Buffer {
    return pathIn(this.#directory, this.#claim.name);
  }

  /** Modes are set outright: the umask has no say in what a workspace holds. */
  #takeAfter(existing: Stats | undefined, options: PublishOptions): void {
    fchmodSync(this.fd, options.permissions ?? modeAfter(existing?.mode, options.executable));
    if (existing === undefined || existing.uid === process.geteuid?.()) return;
    // Only a privileged process can; for the others the file becomes their own.
    tolerating(["EPERM"], () => fchownSync(this.fd, existing.uid, existing.gid), undefined);
  }

  #close(): void {
    if (!this.#open) return;
    this.#open = false;
    closeSync(this.fd);
  }
}

/** Why a temporary file is not removed: it is gone, or must stay until the next opening removes it. Neither is a failure. */
const LEFT_ALONE = [...ABSENCES, "EACCES", "EPERM", "EROFS"];

/** Refuses what must not be written over. */
export function requireReplaceable(existing: Stats, mode: WriteMode): void {
  if (mode === "create") throw new Refusal("EEXIST");
  if (existing.isSymbolicLink()) throw new Refusal("ELOOP");
  requireRegular(existing);
}

function modeAfter(existing: number | undefined, executable: boolean | undefined): number {
  const mode = existing === undefined ? 0o644 : existing & 0o777;
  if (executable === undefined) return mode;
  // Whoever may read it may run it.
  return executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111;
}

/** Gives `from` the name `to`. Throws `EEXIST` when `to` is taken. */
export function linkOrReserve(from: string | Buffer, to: string | Buffer): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if (!["EPERM", "EOPNOTSUPP", "ENOSYS"].includes(errorCode(error) ?? "")) throw error;
    // A filesystem without hard links: take the name first, then fill it.
    closeSync(openSync(to, O_WRONLY | O_CREAT | O_EXCL, 0o600));
    renameSync(from, to);
    return;
  }
  unlinkSync(from);
}

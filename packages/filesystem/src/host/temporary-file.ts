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
import type { WriteMode } from "../filesystem.js";
import type { PinnedDirectory } from "./containment.js";
import { ABSENCES, errorCode, Refusal, tolerating } from "./from-node-error.js";
import { describe, pathIn, requireRegular } from "./host-root.js";
import { temporaryName } from "./temporary-name.js";

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
 * Content on its way into a directory, under a name nobody is shown.
 *
 * It is made beside its target, so that putting it in place is one rename on one
 * filesystem; what else has the target's name (a hard link, an open reader) keeps
 * the old content.
 */
export class TemporaryFile {
  readonly #directory: PinnedDirectory;
  readonly #name = temporaryName();
  /** Open for reading too, to be copied from. */
  readonly fd: number;
  #open = true;

  constructor(directory: PinnedDirectory) {
    this.#directory = directory;
    // Nobody else's to read before it has its final permissions.
    this.fd = openSync(pathIn(directory, this.#name), O_RDWR | O_CREAT | O_EXCL, 0o600);
  }

  write(bytes: Uint8Array): void {
    for (let written = 0; written < bytes.length; )
      written += writeSync(this.fd, bytes, written, bytes.length - written);
  }

  /** Whether nobody has removed it meanwhile. Its content can be read from `fd` all the same. */
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
    const from = pathIn(this.#directory, this.#name);
    const to = pathIn(this.#directory, leaf);
    if (mode === "create") linkOrClaim(from, to);
    else renameSync(from, to);
    this.#close();
    if (fsync) fsyncSync(this.#directory.fd);
  }

  /** Call while the directory is open, even if it has been moved or removed. */
  discard(): void {
    if (!this.#open) return;
    try {
      this.#close();
    } finally {
      tolerating(LEFT_ALONE, () => unlinkSync(pathIn(this.#directory, this.#name)), undefined);
    }
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

/** Why a temporary file is not removed: it has gone, or must stay until the next opening sweeps it up. Neither is worth a failure. */
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
export function linkOrClaim(from: string | Buffer, to: string | Buffer): void {
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

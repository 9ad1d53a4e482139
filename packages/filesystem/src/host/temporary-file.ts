import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
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
import { errorCode, Refusal, tolerating } from "./from-node-error.js";
import { describe, pathIn, requireRegular } from "./host-root.js";
import { temporaryName } from "./temporary-name.js";

const { O_RDWR, O_WRONLY, O_CREAT, O_EXCL } = constants;

export interface PublishOptions {
  readonly mode: WriteMode;
  readonly executable: boolean | undefined;
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

  /** Puts the file in place at `leaf` in one step. */
  publish(leaf: string, { mode, executable, fsync }: PublishOptions): void {
    const existing = describe(this.#directory, leaf);
    if (existing !== undefined) requireReplaceable(existing, mode);
    this.#takeAfter(existing, executable);
    if (fsync) fsyncSync(this.fd);
    const from = pathIn(this.#directory, this.#name);
    const to = pathIn(this.#directory, leaf);
    if (mode === "create") linkOrClaim(from, to);
    else renameSync(from, to);
    this.#close();
    if (fsync) fsyncSync(this.#directory.fd);
  }

  discard(): void {
    this.#close();
    tolerating(["ENOENT"], () => unlinkSync(pathIn(this.#directory, this.#name)), undefined);
  }

  /** Modes are set outright: the umask has no say in what a workspace holds. */
  #takeAfter(existing: Stats | undefined, executable: boolean | undefined): void {
    fchmodSync(this.fd, modeAfter(existing?.mode, executable));
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

/** Gives `from` the name `to` unless that is taken. */
function linkOrClaim(from: string | Buffer, to: string | Buffer): void {
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

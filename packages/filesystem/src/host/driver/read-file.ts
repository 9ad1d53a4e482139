import { type BigIntStats, closeSync, fstatSync, lstatSync, readSync } from "node:fs";
import { FileContent } from "../../content/file-content.js";
import type { PinnedDirectory } from "../containment/containment.js";
import { type HostRoot, pathIn, requireRegular } from "../containment/host-root.js";
import { ABSENCES, Refusal, tolerating } from "../process/from-node-error.js";
import {
  LARGEST_HASHED_BYTES,
  type RevisionCache,
  revisionOfBytes,
  revisionOfStat,
} from "./revision-cache.js";

/** What is no file to us: nothing there, a link, a socket, a name that cannot be. */
export const NOT_A_FILE = [...ABSENCES, "ELOOP", "EMLINK", "ENXIO", "ENODEV", "EINVAL"];

/** Runs `body` with the open file at `leaf`, which need not be a regular one. */
export function withLeaf<T>(
  root: HostRoot,
  parent: PinnedDirectory,
  leaf: string,
  body: (fd: number) => T,
): T {
  const fd = root.openLeaf(parent, leaf);
  try {
    return body(fd);
  } finally {
    closeSync(fd);
  }
}

/** The content of a regular file of at most `maxBytes`, or `undefined`. The size is looked at before memory is taken. */
export function loadLeaf(
  root: HostRoot,
  cache: RevisionCache,
  parent: PinnedDirectory,
  leaf: string,
  maxBytes: number,
): FileContent | undefined {
  const load = (fd: number) => {
    const startedAtMs = Date.now();
    const stat = fstatSync(fd, { bigint: true });
    const isWanted = stat.isFile() && stat.size <= maxBytes;
    return isWanted ? loadOpen(cache, fd, stat, startedAtMs) : undefined;
  };
  return tolerating(NOT_A_FILE, () => withLeaf(root, parent, leaf, load), undefined);
}

/** The content of the regular file that is open as `fd`. `startedAtMs` is when `stat` was taken. */
export function loadOpen(
  cache: RevisionCache,
  fd: number,
  stat: BigIntStats,
  startedAtMs: number,
): FileContent {
  const bytes = readBriefly(fd, Number(stat.size));
  return contentOf(bytes, remember(cache, stat, bytes, startedAtMs));
}

/** The token of a regular file's content as it is now. */
export function revisionOfLeaf(
  root: HostRoot,
  cache: RevisionCache,
  parent: PinnedDirectory,
  leaf: string,
): string {
  const seen = lstatSync(pathIn(parent, leaf), { bigint: true });
  if (seen.isFile()) {
    const known = seen.size > LARGEST_HASHED_BYTES ? revisionOfStat(seen) : cache.get(seen);
    if (known !== undefined) return known;
  }
  return withLeaf(root, parent, leaf, (fd) => {
    const startedAtMs = Date.now();
    const stat = fstatSync(fd, { bigint: true });
    requireRegular(stat);
    if (stat.size > LARGEST_HASHED_BYTES) return revisionOfStat(stat);
    return remember(cache, stat, readBriefly(fd, Number(stat.size)), startedAtMs);
  });
}

function remember(
  cache: RevisionCache,
  stat: BigIntStats,
  bytes: Uint8Array,
  startedAtMs: number,
): string {
  if (stat.size > LARGEST_HASHED_BYTES) return revisionOfStat(stat);
  const revision = revisionOfBytes(bytes);
  cache.set(stat, revision, startedAtMs);
  return revision;
}

/** Files up to its size are read into the same memory again and again, and leave it before the next one comes. */
const scratch = new Uint8Array(256 * 1024);
/** Strict, and with the byte order mark kept: text must lead back to the same bytes. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A small file's bytes are lent until the next call, a large one's are the caller's. */
function readBriefly(fd: number, size: number): Uint8Array {
  if (size > scratch.length) return readUpTo(fd, 0, size);
  return scratch.subarray(0, fill(fd, scratch, 0, size));
}

/** As text where it is text: a string costs the garbage collector far less than a buffer of its own. */
function contentOf(bytes: Uint8Array, revision: string): FileContent {
  if (bytes.buffer !== scratch.buffer) return FileContent.ofBytes(bytes, revision);
  try {
    return FileContent.ofText(decoder.decode(bytes), bytes.length, revision);
  } catch {
    return FileContent.ofBytes(bytes.slice(), revision);
  }
}

/** Up to `length` bytes from `offset`: fewer when the file ends, or was cut off, before that. */
export function readUpTo(fd: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const filled = fill(fd, bytes, offset, length);
  return filled === length ? bytes : bytes.slice(0, filled);
}

/** Reads into the start of `bytes` and says how far it got. */
export function fill(fd: number, bytes: Uint8Array, offset: number, length: number): number {
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/** Fails when the file that is open as `fd` was written to since `before` was taken. A rename or a chmod does no harm. */
export function requireUnchanged(fd: number, before: BigIntStats): void {
  if (!isUnchanged(fd, before)) throw new Refusal("ESTALE");
}

export function isUnchanged(fd: number, before: BigIntStats): boolean {
  const now = fstatSync(fd, { bigint: true });
  return now.mtimeNs === before.mtimeNs && now.size === before.size;
}

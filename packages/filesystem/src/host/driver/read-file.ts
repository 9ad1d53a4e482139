import { type BigIntStats, closeSync, fstatSync, lstatSync, readSync } from "node:fs";
import { FileContent } from "../../content/file-content.js";
import { type HostRoot, requireRegular } from "../containment/host-root.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { ABSENCES, Refusal, tolerating } from "../process/from-node-error.js";
import {
  MAX_HASHED_BYTES,
  type RevisionCache,
  revisionOfBytes,
  revisionOfStat,
} from "./revision-cache.js";

/** Error codes which mean that the path is not a file: missing, a link, a socket or an impossible name. */
export const NOT_A_FILE = [...ABSENCES, "ELOOP", "EMLINK", "ENXIO", "ENODEV", "EINVAL"];

/** Runs `body` with the open file `leaf`, which need not be a regular file. */
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

/**
 * The content of a regular file of at most `maxBytes`, or `undefined`. The size is checked before memory is
 * allocated.
 */
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

/** The revision of a regular file's current content. */
export function revisionOfLeaf(
  root: HostRoot,
  cache: RevisionCache,
  parent: PinnedDirectory,
  leaf: string,
): string {
  const seen = lstatSync(parent.pathOf(leaf), { bigint: true });
  if (seen.isFile()) {
    const known = seen.size > MAX_HASHED_BYTES ? revisionOfStat(seen) : cache.get(seen);
    if (known !== undefined) return known;
  }
  return withLeaf(root, parent, leaf, (fd) => {
    const startedAtMs = Date.now();
    const stat = fstatSync(fd, { bigint: true });
    requireRegular(stat);
    if (stat.size > MAX_HASHED_BYTES) return revisionOfStat(stat);
    return remember(cache, stat, readBriefly(fd, Number(stat.size)), startedAtMs);
  });
}

function remember(
  cache: RevisionCache,
  stat: BigIntStats,
  bytes: Uint8Array,
  startedAtMs: number,
): string {
  if (stat.size > MAX_HASHED_BYTES) return revisionOfStat(stat);
  const revision = revisionOfBytes(bytes);
  cache.set(stat, revision, startedAtMs);
  return revision;
}

/** Small files are read into this buffer, which is reused. Their content is copied out before the next read. */
const scratch = new Uint8Array(256 * 1024);
/** Fatal, and the byte order mark is kept, because the text must encode to the same bytes. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The bytes of a small file are valid until the next call. Those of a large file belong to the caller. */
function readBriefly(fd: number, size: number): Uint8Array {
  if (size > scratch.length) return readUpTo(fd, 0, size);
  return scratch.subarray(0, fill(fd, scratch, 0, size));
}

/** Stores text as a string, because a string costs the garbage collector far less than a separate buffer. */
function contentOf(bytes: Uint8Array, revision: string): FileContent {
  if (bytes.buffer !== scratch.buffer) return FileContent.ofBytes(bytes, revision);
  try {
    return FileContent.ofText(decoder.decode(bytes), bytes.length, revision);
  } catch {
    return FileContent.ofBytes(bytes.slice(), revision);
  }
}

/** Reads up to `length` bytes from `offset`, fewer if the file ends before. */
export function readUpTo(fd: number, offset: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  const filled = fill(fd, bytes, offset, length);
  return filled === length ? bytes : bytes.slice(0, filled);
}

/** Reads into the start of `bytes` and returns the number of bytes read. */
export function fill(fd: number, bytes: Uint8Array, offset: number, length: number): number {
  let filled = 0;
  while (filled < length) {
    const count = readSync(fd, bytes, filled, length - filled, offset + filled);
    if (count === 0) break;
    filled += count;
  }
  return filled;
}

/**
 * Throws if the file that is open as `fd` was written to since `before` was taken. A rename or a chmod is allowed.
 */
export function requireUnchanged(fd: number, before: BigIntStats): void {
  if (!isUnchanged(fd, before)) throw new Refusal("ESTALE");
}

export function isUnchanged(fd: number, before: BigIntStats): boolean {
  const now = fstatSync(fd, { bigint: true });
  return now.mtimeNs === before.mtimeNs && now.size === before.size;
}

import { createHash } from "node:crypto";
import { type BigIntStats, closeSync, fstatSync, read } from "node:fs";
import { promisify } from "node:util";
import { FileContent } from "../../content/file-content.js";
import type { MaybePromise } from "../../protocol/maybe-promise.js";
import type { HostRoot } from "../containment/host-root.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { tolerating } from "../process/from-node-error.js";
import { TimeSlice } from "../process/time-slice.js";
import { isUnchanged, loadOpen, NOT_A_FILE } from "./read-file.js";
import { MAX_HASHED_BYTES, type RevisionCache, revisionOfStat } from "./revision-cache.js";

/** Files up to this size are read synchronously, because a promise would cost more than the read. */
export const MAX_SYNC_BYTES = 4 * 1024 * 1024;
const PIECE_BYTES = 1024 * 1024;

const readPiece = promisify(read);

interface Opened {
  readonly root: HostRoot;
  readonly cache: RevisionCache;
  readonly fd: number;
  readonly stat: BigIntStats;
  /** When `stat` was taken. */
  readonly startedAtMs: number;
  readonly maxBytes: number;
}

/** Like `loadLeaf`, but reads a large file asynchronously, without blocking the event loop. */
export function loadFile(
  root: HostRoot,
  cache: RevisionCache,
  parent: PinnedDirectory,
  leaf: string,
  maxBytes: number,
): MaybePromise<FileContent | undefined> {
  const load = () => {
    const fd = root.openLeaf(parent, leaf);
    let isLarge = false;
    try {
      const startedAtMs = Date.now();
      const stat = fstatSync(fd, { bigint: true });
      if (!stat.isFile() || stat.size > maxBytes) return undefined;
      isLarge = stat.size > MAX_SYNC_BYTES;
      if (!isLarge) return loadOpen(cache, fd, stat, startedAtMs);
      return loadLarge({ root, cache, fd, stat, startedAtMs, maxBytes });
    } finally {
      if (!isLarge) closeSync(fd);
    }
  };
  return tolerating(NOT_A_FILE, load, undefined);
}

/** Closes the descriptor at the end. */
async function loadLarge(opened: Opened): Promise<FileContent | undefined> {
  const { cache, fd, stat, startedAtMs } = opened;
  try {
    const content = await readInPieces(opened);
    if (!isUnchanged(fd, stat)) return loadNow(opened);
    if (isHashed(stat)) cache.set(stat, content.revision, startedAtMs);
    await prepare(content);
    return content;
  } finally {
    closeSync(fd);
  }
}

/** Reads a file that keeps changing, such as a log, in one call. An asynchronous read could return a mixture. */
function loadNow({ cache, fd, maxBytes }: Opened): FileContent | undefined {
  const startedAtMs = Date.now();
  const stat = fstatSync(fd, { bigint: true });
  return stat.size <= maxBytes ? loadOpen(cache, fd, stat, startedAtMs) : undefined;
}

/** Reads and hashes piece by piece. Returns fewer bytes if the file was truncated during the read. */
async function readInPieces({ root, fd, stat }: Opened): Promise<FileContent> {
  const bytes = new Uint8Array(Number(stat.size));
  const hash = isHashed(stat) ? createHash("sha1") : undefined;
  for (let filled = 0; filled < bytes.length; ) {
    const length = Math.min(PIECE_BYTES, bytes.length - filled);
    const { bytesRead } = await readPiece(fd, bytes, filled, length, filled);
    root.requireOpen();
    if (bytesRead === 0) break;
    hash?.update(bytes.subarray(filled, filled + bytesRead));
    filled += bytesRead;
  }
  return FileContent.ofBytes(bytes, hash?.digest("hex") ?? revisionOfStat(stat));
}

function isHashed({ size }: BigIntStats): boolean {
  return size <= MAX_HASHED_BYTES;
}

/**
 * Computes the text and the lines now and yields between the steps, because together they take longer than reading
 * the file.
 */
async function prepare(content: FileContent): Promise<void> {
  const slice = new TimeSlice();
  const text = content.text();
  if (text === undefined) return;
  if (slice.due) await slice.rest();
  content.lineCount(text);
  if (slice.due) await slice.rest();
  content.lines(text, 0, 0);
  if (slice.due) await slice.rest();
}

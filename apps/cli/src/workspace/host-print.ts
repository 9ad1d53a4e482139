import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { type BytePath, bytePath, entryPath } from "./byte-path.js";

/** Resolution of the clock: an edit can have the same timestamp as the copy before it. */
const GRAIN_MS = 20;

export interface HostPrintOptions {
  /** The copy, with the paths that the directory had. */
  readonly files: string;
  readonly directory: string;
  /**
   * When the copying started. If a file is newer, it may have changed during the copy, and the
   * result is empty. @default times are not compared
   */
  readonly copiedAtMs?: number | undefined;
}

/**
 * A fingerprint of the copied part of the directory. It changes when another program changes a file
 * (time, size, inode, mode) or adds one (time of the directory). Files that were not copied are
 * ignored.
 */
export function hostPrint({ files, directory, copiedAtMs }: HostPrintOptions): string {
  const [copy, host] = [bytePath(files), bytePath(directory)];
  const hash = createHash("sha256");
  let newestMs = Number.NEGATIVE_INFINITY;
  const note = (path: BytePath): boolean => {
    const stat = lstatSync(entryPath(host, path), { bigint: true, throwIfNoEntry: false });
    // New in the copy, or deleted from the directory. In the second case, the time of its parent
    // has changed.
    if (stat === undefined) return false;
    const { mtimeNs, ctimeNs, size, ino, mode } = stat;
    newestMs = Math.max(newestMs, Number(ctimeNs / 1_000_000n));
    // The size and change time of a directory tell nothing about its contents.
    const about = stat.isDirectory() ? [mtimeNs] : [mtimeNs, ctimeNs, size, ino, mode];
    hash.update(path).update(`\0${about.join(" ")}\0`);
    return stat.isDirectory();
  };
  const visit = (path: BytePath): void => {
    if (!note(path)) return;
    const options = { withFileTypes: true, encoding: "buffer" } as const;
    const entries = readdirSync(entryPath(copy, path), options);
    for (const entry of entries.sort((a, b) => Buffer.compare(a.name, b.name))) {
      const child = entryPath(path, entry.name);
      if (entry.isDirectory()) visit(child);
      else note(child);
    }
  };
  visit(bytePath("."));
  if (copiedAtMs !== undefined && newestMs >= copiedAtMs - GRAIN_MS) return "";
  return hash.digest("hex");
}

import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { type BytePath, bytePath, entryPath } from "./byte-path.js";

/** A clock that ticks coarsely may give an edit the time of the copy before it. */
const GRAIN_MS = 20;

export interface HostPrintOptions {
  /** The copy, in the state that the directory had last. */
  readonly files: string;
  readonly directory: string;
  /** When the copying began. A newer file may have changed unseen, and then the result is empty. @default times are not compared */
  readonly copiedAtMs?: number | undefined;
}

/**
 * A fingerprint that changes when another program changes what the copy was made of: files by time, size and inode,
 * and directories by time, so that new files count too. Files that were left out do not count.
 */
export function hostPrint({ files, directory, copiedAtMs }: HostPrintOptions): string {
  const [copy, host] = [bytePath(files), bytePath(directory)];
  const hash = createHash("sha256");
  let newestMs = Number.NEGATIVE_INFINITY;
  const note = (path: BytePath): boolean => {
    const stat = lstatSync(entryPath(host, path), { bigint: true, throwIfNoEntry: false });
    // New in the copy, or deleted from the directory: then the time of its parent has changed.
    if (stat === undefined) return false;
    const { mtimeNs, ctimeNs, size, ino, mode } = stat;
    newestMs = Math.max(newestMs, Number(ctimeNs / 1_000_000n));
    // A directory's own size and change time say nothing about what is in it.
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

import { createHash } from "node:crypto";
import { lstatSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** A clock that ticks coarsely may give an edit the time of the copy before it. */
const GRAIN_MS = 20;

export interface HostPrintOptions {
  /** The copy, in the state that the directory is thought to have. */
  readonly files: string;
  readonly directory: string;
  /** When the copying began. What is newer may have changed unseen, and then the answer is empty. @default not looked at */
  readonly copiedAtMs?: number | undefined;
}

/**
 * A short text that changes when somebody changes what the copy was made of: contents by time, size and identity,
 * and directories by time, so that new files count too. Files that were left out are not looked at.
 */
export function hostPrint({ files, directory, copiedAtMs }: HostPrintOptions): string {
  const hash = createHash("sha256");
  let newestMs = Number.NEGATIVE_INFINITY;
  const note = (path: string): boolean => {
    const stat = lstatSync(join(directory, path), { bigint: true, throwIfNoEntry: false });
    // New in the copy; or gone from the directory, which its parent tells by its time.
    if (stat === undefined) return false;
    const { mtimeNs, ctimeNs, size, ino, mode } = stat;
    newestMs = Math.max(newestMs, Number(ctimeNs / 1_000_000n));
    // A directory's own size and change time say nothing about what is in it.
    const about = stat.isDirectory() ? [mtimeNs] : [mtimeNs, ctimeNs, size, ino, mode];
    hash.update(`${path}\0${about.join(" ")}\0`);
    return stat.isDirectory();
  };
  const visit = (path: string): void => {
    if (!note(path)) return;
    const entries = readdirSync(join(files, path), { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const child = join(path, entry.name);
      if (entry.isDirectory()) visit(child);
      else note(child);
    }
  };
  visit(".");
  if (copiedAtMs !== undefined && newestMs >= copiedAtMs - GRAIN_MS) return "";
  return hash.digest("hex");
}

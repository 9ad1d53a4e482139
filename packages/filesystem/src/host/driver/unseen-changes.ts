import { readFileSync, statfsSync } from "node:fs";
import type { HostFilesystemOptions } from "./host-options.js";

/** Kernels use a clock that ticks every few milliseconds. Two changes within a tick get the same time. */
export const CLOCK_TICK_MS = 50;

/**
 * Filesystems in memory never write a page to a disk, so a mapped page stays writable without updating the times.
 */
const IN_MEMORY: ReadonlySet<number> = new Set([
  0x01021994, // tmpfs
  0x858458f6, // ramfs
  0x958458f6, // hugetlbfs
]);

/**
 * For how long after its last recorded change a file can change again while its times stay the same.
 *
 * The first write to a mapped page sets the times. Later writes do not, until the kernel has written the page to the
 * disk and protects it again. That takes `dirty_expire_centisecs` plus `dirty_writeback_centisecs`. The result is twice
 * that, because a busy disk is late.
 */
export function unseenChangeMs(
  path: string,
  { otherWriters = "possible" }: Pick<HostFilesystemOptions, "otherWriters">,
): number {
  if (otherWriters === "none") return CLOCK_TICK_MS;
  if (IN_MEMORY.has(statfsSync(path).type >>> 0)) return Number.POSITIVE_INFINITY;
  const expire = centiseconds("dirty_expire_centisecs", 3_000);
  const interval = centiseconds("dirty_writeback_centisecs", 500);
  // 0 turns off the periodic write-back.
  return interval === 0 ? Number.POSITIVE_INFINITY : 2 * (expire + interval) * 10;
}

function centiseconds(name: string, usual: number): number {
  try {
    return Number(readFileSync(`/proc/sys/vm/${name}`, "latin1"));
  } catch {
    return usual;
  }
}

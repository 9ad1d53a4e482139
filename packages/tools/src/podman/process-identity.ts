import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Identifies a process, so that another process can check whether it is still alive.
 * A pid alone is not enough, because the system reuses pids.
 */
export function processIdentity(pid: number = process.pid): string {
  return [hostname(), bootOf(), namespaceOf(), pid, startOf(pid) ?? ""].join("|");
}

/** Whether the process is certainly dead. If that cannot be determined, it counts as alive. */
export function isGone(identity: string): boolean {
  const [host, boot, namespace, pid, start] = identity.split("|");
  if (host !== hostname() || !/^\d+$/.test(pid ?? "")) return false;
  if (boot !== bootOf()) return true;
  if (namespace !== namespaceOf()) return false;
  const now = startOf(Number(pid));
  return now === undefined ? !isThere(Number(pid)) : now !== start;
}

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** The start time of the process in clock ticks since boot. `undefined` without /proc. */
function startOf(pid: number): string | undefined {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The program's name is in parentheses and may contain any character, so search the last one.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
}

function bootOf(): string {
  return read(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1"))?.trim() ?? "";
}

function namespaceOf(): string {
  return read(() => readlinkSync("/proc/self/ns/pid")) ?? "";
}

function read(work: () => string): string | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";

/**
 * Says which process something belongs to, so that another can tell whether it is still there.
 * A number alone is not enough: it is given again.
 */
export function processIdentity(pid: number = process.pid): string {
  return [hostname(), bootOf(), namespaceOf(), pid, startOf(pid) ?? ""].join("|");
}

/** Whether the process is gone for certain. What cannot be told from here counts as living. */
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
    // Not ours to signal, but there.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** When the process was started, in ticks since the machine was. `undefined` where there is no /proc. */
function startOf(pid: number): string | undefined {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The name of the program stands in parentheses and may hold anything.
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

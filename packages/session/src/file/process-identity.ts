import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { checksum } from "../snapshot/checksum.js";

/** Identifies a process permanently. The pid alone is reused later. */
export interface ProcessIdentity {
  readonly pid: number;
  /** The start time in kernel ticks; empty if the kernel does not report it. */
  readonly startTime: string;
  /** Hashes of the host name and of the boot id. */
  readonly host: string;
  readonly boot: string;
}

export function ownIdentity(): ProcessIdentity {
  return {
    pid: process.pid,
    startTime: readProcess(process.pid)?.startTime ?? "",
    host: checksum(hostname()),
    boot: checksum(readText("/proc/sys/kernel/random/boot_id") ?? ""),
  };
}

/** Whether a process may still run. Always true for a process on another machine. */
export function mayBeAlive(identity: ProcessIdentity): boolean {
  const own = ownIdentity();
  if (identity.host !== own.host) return true;
  if (identity.boot !== own.boot || !isRunning(identity.pid)) return false;
  const process = readProcess(identity.pid);
  if (!process) return true;
  if (process.isZombie) return false;
  return identity.startTime === "" || identity.startTime === process.startTime;
}

/** Whether any process has this pid. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Any error other than "no such process" means that the process exists but we may not signal it.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function readProcess(pid: number): { startTime: string; isZombie: boolean } | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  // The second field is the program's name in brackets, which may contain spaces and brackets.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startTime = fields?.[19];
  return fields && startTime ? { startTime, isZombie: fields[0] === "Z" } : undefined;
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8").trim();
  } catch {
    return undefined;
  }
}

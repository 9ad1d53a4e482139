import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { checksum } from "../snapshot/checksum.js";

/** Names a process for good: its number alone is given to another one some day. */
export interface ProcessIdentity {
  readonly pid: number;
  /** When it started, in the kernel's ticks; empty where the kernel does not tell. */
  readonly startTime: string;
  /** The machine, and its present run. */
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

/** Whether a process may still run. A process of another machine may. */
export function mayBeAlive(identity: ProcessIdentity): boolean {
  const own = ownIdentity();
  if (identity.host !== own.host) return true;
  if (identity.boot !== own.boot || !isRunning(identity.pid)) return false;
  const process = readProcess(identity.pid);
  if (!process) return true;
  if (process.isZombie) return false;
  return identity.startTime === "" || identity.startTime === process.startTime;
}

/** Whether some process has this number now. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Anything but "no such process" means that there is one, only not ours to signal.
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

function readProcess(pid: number): { startTime: string; isZombie: boolean } | undefined {
  const stat = readText(`/proc/${pid}/stat`);
  // The second field is the program's name, in brackets and with anything in it.
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

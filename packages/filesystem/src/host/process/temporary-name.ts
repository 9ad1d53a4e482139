import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { TEMPORARY_PREFIX } from "../../path/temporary-prefix.js";

/**
 * A process of another machine or container counts as dead after this time, because its state cannot be checked
 * from here.
 */
const FOREIGN_LIFETIME_MS = 60 * 60 * 1000;

/** Returns a unique name that identifies its process: PID namespace, PID, start time, random bytes. */
export function temporaryName(): string {
  owner ??= [pidNamespace(), process.pid, startOf(process.pid) ?? "0"].join("-");
  return `${TEMPORARY_PREFIX}${owner}-${randomBytes(8).toString("hex")}`;
}

let owner: string | undefined;

/**
 * Whether the process that a name belongs to is dead. `modifiedAtMs` is the modification time of the node with this
 * name.
 */
export function isAbandoned(name: string, modifiedAtMs: number, nowMs: number): boolean {
  const [, namespace, pid, start] = OWNED.exec(name) ?? [];
  if (namespace === undefined || namespace !== pidNamespace())
    return nowMs - modifiedAtMs > FOREIGN_LIFETIME_MS;
  // The kernel may have reused the PID. The new process then has another start time.
  return startOf(Number(pid)) !== start;
}

const OWNED = /^\.wink-tmp-(\d+)-(\d+)-(\d+)-[0-9a-f]{16}$/;

function pidNamespace(): string {
  namespace ??= /\d+/.exec(attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "")?.[0] ?? "0";
  return namespace;
}

let namespace: string | undefined;

/** The start time of the process, in clock ticks of the kernel, or `undefined` if it does not exist. */
function startOf(pid: number): string | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The command name is the second field, in brackets, and can contain any character. So count the fields after its
  // end.
  if (stat !== undefined) return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
  const alive = process.platform !== "linux" && attempt(() => process.kill(pid, 0));
  return alive ? "0" : undefined;
}

function attempt<T>(body: () => T): T | undefined {
  try {
    return body();
  } catch {
    return undefined;
  }
}

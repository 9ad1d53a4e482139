import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { TEMPORARY_PREFIX } from "../../path/temporary-prefix.js";

/** After this long a process of another machine or container is taken for dead: its state cannot be seen from here. */
const FOREIGN_LIFETIME_MS = 60 * 60 * 1000;

/** A unique name that says which process it belongs to: process namespace, process number, start time, random bytes. */
export function temporaryName(): string {
  owner ??= [pidNamespace(), process.pid, startOf(process.pid) ?? "0"].join("-");
  return `${TEMPORARY_PREFIX}${owner}-${randomBytes(8).toString("hex")}`;
}

let owner: string | undefined;

/** Whether the process that a name says it belongs to is dead. `modifiedAtMs` is when the node with the name last changed. */
export function isAbandoned(name: string, modifiedAtMs: number, nowMs: number): boolean {
  const [, namespace, pid, start] = OWNED.exec(name) ?? [];
  if (namespace === undefined || namespace !== pidNamespace())
    return nowMs - modifiedAtMs > FOREIGN_LIFETIME_MS;
  // The kernel may have given the number to another process, which then started later.
  return startOf(Number(pid)) !== start;
}

const OWNED = /^\.wink-tmp-(\d+)-(\d+)-(\d+)-[0-9a-f]{16}$/;

function pidNamespace(): string {
  namespace ??= /\d+/.exec(attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "")?.[0] ?? "0";
  return namespace;
}

let namespace: string | undefined;

/** When the process started, in the kernel's clock ticks; `undefined` if there is no such process. */
function startOf(pid: number): string | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The command's name comes second, in brackets, and can hold anything: count from its end.
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

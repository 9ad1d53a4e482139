import { randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { TEMPORARY_PREFIX } from "../temporary-prefix.js";

/** What another machine or container left is given up after this long: whether its owner lives cannot be told from here. */
const FOREIGN_LIFETIME_MS = 60 * 60 * 1000;

/** A name nobody is shown, which says whose it is: process namespace, process, its start, and chance. */
export function temporaryName(): string {
  owner ??= [pidNamespace(), process.pid, startOf(process.pid) ?? "0"].join("-");
  return `${TEMPORARY_PREFIX}${owner}-${randomBytes(8).toString("hex")}`;
}

let owner: string | undefined;

/** Whether a segment of `path` is the name of a temporary file. */
export function isTemporary(path: string): boolean {
  return path.startsWith(TEMPORARY_PREFIX) || path.includes(`/${TEMPORARY_PREFIX}`);
}

/** Whether nobody can be at work any more on what has this name and was last changed then. */
export function isAbandoned(name: string, modifiedAtMs: number, nowMs: number): boolean {
  const [, namespace, pid, start] = OWNED.exec(name) ?? [];
  if (namespace === undefined || namespace !== pidNamespace())
    return nowMs - modifiedAtMs > FOREIGN_LIFETIME_MS;
  // A number may have been given to another process meanwhile; that one started later.
  return startOf(Number(pid)) !== start;
}

const OWNED = /^\.wink-tmp-(\d+)-(\d+)-(\d+)-[0-9a-f]{16}$/;

function pidNamespace(): string {
  namespace ??= /\d+/.exec(attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "")?.[0] ?? "0";
  return namespace;
}

let namespace: string | undefined;

/** When the process started, as the kernel counts; `undefined` when there is none. */
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

import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { requireType } from "./check-arguments.js";

/**
 * A text that identifies this process, so that another process can check whether it still runs.
 *
 * It has the form `host-boot-namespace-pid-start`, because the kernel reuses a PID later and every container has its
 * own PIDs. Digits and hyphens only, so it can be part of a file name.
 */
export function processIdentity(): string {
  own ??= [...machine(), process.pid, readProcess(process.pid)?.startTime ?? 0].join("-");
  return own;
}

/**
 * Finds the process of an identity. Its state is `unknown` if it belongs to another machine or another container. Text
 * after the identity is ignored; `undefined` if there is no identity.
 */
export function findProcess(
  identity: string,
): { readonly pid: number; readonly state: "alive" | "dead" | "unknown" } | undefined {
  requireType(identity, "a string", "findProcess");
  const [, host, boot, namespace, digits, startTime] = FORMAT.exec(identity) ?? [];
  if (digits === undefined) return undefined;
  const pid = Number(digits);
  const [ownHost, ownBoot, ownNamespace] = machine();
  if (host !== ownHost) return { pid, state: "unknown" };
  if (boot !== ownBoot) return { pid, state: "dead" };
  if (namespace !== ownNamespace) return { pid, state: "unknown" };
  const found = readProcess(pid);
  const isAlive = found === undefined ? hasProcess(pid) : isSame(found, startTime);
  return { pid, state: isAlive ? "alive" : "dead" };
}

const FORMAT = /^([0-9a-f]{8})-([0-9a-f]{8})-(\d+)-(\d+)-(\d+)(?:-|$)/;

// Neither changes while the process runs.
let own: string | undefined;
let ownMachine: readonly [host: string, boot: string, namespace: string] | undefined;

function machine(): readonly [host: string, boot: string, namespace: string] {
  ownMachine ??= [
    digest(hostname()),
    digest(attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1")) ?? ""),
    /\d+/.exec(attempt(() => readlinkSync("/proc/self/ns/pid")) ?? "")?.[0] ?? "0",
  ];
  return ownMachine;
}

/** Neither a host name nor a boot id belongs in a file that others may read. */
function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

interface KernelProcess {
  /** In clock ticks since boot. */
  readonly startTime: string;
  readonly isZombie: boolean;
}

/** `undefined` if the process does not exist, or without `/proc`. */
function readProcess(pid: number): KernelProcess | undefined {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, "latin1"));
  // The second field is the program's name in brackets. It can contain any character, so count from its end.
  const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ");
  const startTime = fields?.[19];
  return startTime === undefined ? undefined : { startTime, isZombie: fields?.[0] === "Z" };
}

function isSame(found: KernelProcess, startTime: string | undefined): boolean {
  return !found.isZombie && found.startTime === startTime;
}

function hasProcess(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // The process exists, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function attempt<T>(body: () => T): T | undefined {
  try {
    return body();
  } catch {
    return undefined;
  }
}

import { ProcessLock } from "@wink/filesystem/host";
import { SessionError } from "../define/session-error.js";

/** Long enough for two writers that start at the same time, both back off, and try again. */
const WAIT_MS = 100;

/** Makes the caller the only writer of `path`, or rejects with `SESSION_LOCKED`. */
export async function lockWriter(path: string): Promise<ProcessLock> {
  // A log stays open for days, so the lock of a process that cannot be checked from here never expires.
  const lock = new ProcessLock(`${path}.lock`, { foreignLifetimeMs: Number.POSITIVE_INFINITY });
  if (await lock.acquire(WAIT_MS)) return lock;
  throw new SessionError("SESSION_LOCKED", "log", describe(lock.holder));
}

function describe(holder: ProcessLock["holder"]): string {
  if (holder === undefined) return "other processes keep opening it";
  if (holder.state === "alive") return `process ${holder.pid} has it open`;
  return "a process on another machine or in another container has it open, or left its lock behind";
}

import { mkdir, open, readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { SessionError } from "../define/session-error.js";
import { mayBeAlive, ownIdentity, type ProcessIdentity } from "../file/process-identity.js";

const ATTEMPTS = 5;

export interface WriterLock {
  release(): Promise<void>;
}

/**
 * Makes this process the only writer of `path`, or rejects with `session_locked`.
 *
 * Each writer creates a file with a unique name in a folder next to the log, then lists the folder. Of two concurrent
 * writers at least the later one sees the other and releases. Each file names its process, so deleting the file of a
 * dead process never deletes another one's.
 */
export async function lockWriter(path: string): Promise<WriterLock> {
  const folder = `${path}.lock`;
  const own = formatName(ownIdentity());
  for (let attempt = 1; ; attempt++) {
    const entered = await enter(folder, own);
    const others = entered ? await findOthers(folder, own) : [];
    const release = () => leave(folder, own);
    if (entered && others.length === 0) return { release };
    if (entered) await release();
    // Two writers that both released try again after different delays.
    if (attempt >= ATTEMPTS) throw lockedBy(others);
    await sleep(5 + Math.random() * 20 * attempt);
  }
}

/** Returns whether the file was created. Another writer may remove the folder at the same moment. */
async function enter(folder: string, name: string): Promise<boolean> {
  try {
    await mkdir(folder, { recursive: true });
    await (await open(join(folder, name), "wx", 0o600)).close();
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

async function leave(folder: string, name: string): Promise<void> {
  await rm(join(folder, name), { force: true });
  // Fails when another writer's file is in the folder, which then stays.
  await rmdir(folder).catch(() => {});
}

/** The running processes in the folder. Removes the files of dead ones. */
async function findOthers(folder: string, own: string): Promise<readonly ProcessIdentity[]> {
  const others: ProcessIdentity[] = [];
  for (const name of await readdir(folder)) {
    const identity = name === own ? undefined : parseName(name);
    if (!identity) continue;
    if (mayBeAlive(identity)) others.push(identity);
    else await rm(join(folder, name), { force: true });
  }
  return others;
}

function formatName({ pid, startTime, host, boot }: ProcessIdentity): string {
  return [pid, startTime, host, boot, crypto.randomUUID().slice(0, 8)].join("-");
}

function parseName(name: string): ProcessIdentity | undefined {
  const [, pid, startTime, host, boot] =
    name.match(/^(\d{1,10})-(\d*)-([0-9a-f]{8})-([0-9a-f]{8})-[0-9a-f]{8}$/) ?? [];
  if (pid === undefined || startTime === undefined || !host || !boot) return undefined;
  return { pid: Number(pid), startTime, host, boot };
}

function lockedBy([first]: readonly ProcessIdentity[]): SessionError {
  const isShared = first === undefined;
  const reason = isShared
    ? "its lock folder keeps being removed"
    : first.host === ownIdentity().host
      ? `process ${first.pid} has it open`
      : "a process on another machine has it open, or left its lock behind";
  return new SessionError("session_locked", { subject: "log", reason });
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

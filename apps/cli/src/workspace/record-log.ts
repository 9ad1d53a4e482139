import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isSessionError, type Session } from "@wink/session";
import { replayLog, SessionLog } from "@wink/session/jsonl";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import { WorkspaceRecord } from "./workspace-record.js";

const DEFAULT_WAIT_MS = 30_000;
const RETRY_MS = 50;

/** Reads the record without waiting for the lock. `undefined` without a workspace. */
export async function readRecord(path: string): Promise<WorkspaceRecord | undefined> {
  if (!existsSync(path)) return undefined;
  try {
    const session = await replayLog(path, { slices: [WorkspaceRecord] });
    return session.state(WorkspaceRecord);
  } catch (error) {
    // A process that was killed before the first line leaves an empty log, which counts as missing.
    if (isSessionError(error, "LOG_INVALID") && (await isEmpty(path))) return undefined;
    throw error;
  }
}

export interface WorkspaceTurnOptions {
  /** How long to wait for the lock. @default 30_000 */
  readonly waitMs?: number | undefined;
}

/**
 * The lock of a workspace. While a process holds it, no other process changes files, record or
 * directory. It is the write lock of the record's log, which a dead process cannot hold.
 */
export class WorkspaceTurn {
  readonly #path: string;
  readonly #waitMs: number;
  #held: { readonly log: Promise<SessionLog>; count: number } | undefined;

  constructor(path: string, { waitMs = DEFAULT_WAIT_MS }: WorkspaceTurnOptions = {}) {
    this.#path = path;
    this.#waitMs = waitMs;
  }

  /** Runs `work` with the lock. Reentrant for this object. */
  async run<T>(work: (record: Session) => Promise<T>): Promise<T> {
    const release = await this.take();
    try {
      const log = await this.#held?.log;
      if (log === undefined)
        throw new Error("The workspace lock was released while it was needed.");
      return await work(log.session);
    } finally {
      await release();
    }
  }

  /** Acquires the lock. The returned function releases it once. */
  async take(): Promise<() => Promise<void>> {
    this.#held ??= { log: openWhenFree(this.#path, this.#waitMs), count: 0 };
    const held = this.#held;
    held.count++;
    try {
      await held.log;
    } catch (error) {
      if (this.#held === held) this.#held = undefined;
      throw error;
    }
    let isGivenBack = false;
    return async () => {
      if (isGivenBack) return;
      isGivenBack = true;
      if (--held.count > 0) return;
      if (this.#held === held) this.#held = undefined;
      await (await held.log).close();
    };
  }
}

async function openWhenFree(path: string, waitMs: number): Promise<SessionLog> {
  const until = performance.now() + waitMs;
  for (;;) {
    try {
      return await SessionLog.open(path, { slices: [WorkspaceRecord], fsync: true });
    } catch (error) {
      if (!isSessionError(error, "SESSION_LOCKED")) throw error;
      if (performance.now() > until)
        throw new CliError("Another wink process is using this workspace.", {
          exitCode: EXIT_CODES.refused,
          hint: "Wait until its call has ended, or stop that process, and try again.",
          cause: error,
        });
    }
    await sleep(RETRY_MS);
  }
}

async function isEmpty(path: string): Promise<boolean> {
  const { readFile } = await import("node:fs/promises");
  return !(await readFile(path, "utf8")).includes("\n");
}

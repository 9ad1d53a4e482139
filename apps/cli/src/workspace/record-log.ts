import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { isSessionError, type Session } from "@wink/session";
import { replayLog, SessionLog } from "@wink/session/jsonl";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import { WorkspaceRecord } from "./workspace-record.js";

const DEFAULT_WAIT_MS = 30_000;
const RETRY_MS = 50;

/** What is known of a workspace, without waiting for whoever is at work on it; `undefined` when there is none. */
export async function readRecord(path: string): Promise<WorkspaceRecord | undefined> {
  if (!existsSync(path)) return undefined;
  try {
    const session = await replayLog(path, { slices: [WorkspaceRecord] });
    return session.state(WorkspaceRecord);
  } catch (error) {
    // Killed before the first line was written, it is as good as not there.
    if (isSessionError(error, "log_invalid") && (await isEmpty(path))) return undefined;
    throw error;
  }
}

export interface WorkspaceTurnOptions {
  /** How long to wait for others before it is refused. @default 30_000 */
  readonly waitMs?: number | undefined;
}

/**
 * The turn at a workspace: while it is held, no other process begins to change files, record or directory.
 * It is the writer's lock of the record's log, which a dead process cannot keep.
 */
export class WorkspaceTurn {
  readonly #path: string;
  readonly #waitMs: number;
  #held: { readonly log: Promise<SessionLog>; count: number } | undefined;

  constructor(path: string, { waitMs = DEFAULT_WAIT_MS }: WorkspaceTurnOptions = {}) {
    this.#path = path;
    this.#waitMs = waitMs;
  }

  /** Runs `work` in turn. Inside of a turn of this same object it runs at once. */
  async run<T>(work: (record: Session) => Promise<T>): Promise<T> {
    const release = await this.take();
    try {
      const log = await this.#held?.log;
      if (log === undefined) throw new Error("The turn was given back while it was needed.");
      return await work(log.session);
    } finally {
      await release();
    }
  }

  /** Waits for the turn. What it resolves to gives it back, once. */
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
      if (!isSessionError(error, "session_locked")) throw error;
      if (performance.now() > until)
        throw new CliError("Another wink is at work on this workspace.", {
          exitCode: EXIT_CODES.refused,
          hint: "Wait until its call has ended, or end that process, and try again.",
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

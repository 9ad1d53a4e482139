import { mkdirSync, rmdirSync, writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { TEMPORARY_PREFIX } from "../../path/temporary-prefix.js";
import { requireHostPath } from "./check-arguments.js";
import { errorCode, tolerating } from "./from-node-error.js";
import { findProcess } from "./process-identity.js";
import {
  livingIn,
  releaseToken,
  removeDead,
  type TokenOptions,
  takeToken,
} from "./process-token.js";
import { PRIVATE_DIRECTORY, removeIfThere } from "./store-io.js";

/**
 * A lock between processes, threads and objects of one thread, in its own directory. A dead process does not hold it.
 *
 * To take the lock, a process creates a file with a unique name in the directory and then lists the directory. Of two
 * concurrent processes at least one sees the other's file, and deletes its own. Each file names its process, so
 * removing the file of a dead process never removes another one's.
 */
export class ProcessLock {
  readonly #directory: string;
  readonly #options: TokenOptions;
  #token: string | undefined;

  /**
   * With `foreignLifetimeMs`, the lock of a process that cannot be checked from here expires after this time instead
   * of after an hour.
   */
  constructor(directory: string, options: { readonly foreignLifetimeMs?: number } = {}) {
    requireHostPath(directory, "ProcessLock");
    this.#directory = directory;
    this.#options = options;
  }

  /** The process of another lock object that holds the lock. */
  get holder(): ReturnType<typeof findProcess> {
    const [token] = this.#others();
    return token === undefined ? undefined : findProcess(token.slice(TEMPORARY_PREFIX.length));
  }

  tryAcquire(): boolean {
    if (this.#token !== undefined || this.#others().length > 0) return false;
    const token = takeToken();
    let isTaken = false;
    try {
      this.#create(token);
      removeDead(this.#directory, this.#options);
      isTaken = this.#others(token).length === 0;
    } finally {
      if (isTaken) this.#token = token;
      else this.#remove(token);
    }
    return isTaken;
  }

  /** Waits up to `waitMs` for the lock. Resolves to whether it was acquired. */
  acquire(waitMs: number): Promise<boolean> {
    return poll(waitMs, () => this.tryAcquire());
  }

  /** Waits up to `waitMs` until no other process holds the lock. Resolves to whether it is free. */
  whenFree(waitMs: number): Promise<boolean> {
    return poll(waitMs, () => this.#others(this.#token).length === 0);
  }

  release(): void {
    const token = this.#token;
    this.#token = undefined;
    if (token !== undefined) this.#remove(token);
  }

  #others(own?: string): readonly string[] {
    return livingIn(this.#directory, this.#options).filter((token) => token !== own);
  }

  #create(token: string): void {
    for (let attempt = 1; ; attempt++)
      try {
        mkdirSync(this.#directory, { recursive: true, mode: PRIVATE_DIRECTORY });
        writeFileSync(this.#path(token), "", { flag: "wx", mode: 0o600 });
        return;
      } catch (error) {
        // The previous holder removed the directory in between.
        if (errorCode(error) !== "ENOENT" || attempt === MAX_ATTEMPTS) throw error;
      }
  }

  #remove(token: string): void {
    releaseToken(token);
    removeIfThere(this.#path(token));
    // Another process may be about to create its file in the directory.
    tolerating(["ENOENT", "ENOTEMPTY", "EEXIST"], () => rmdirSync(this.#directory), undefined);
  }

  #path(token: string): string {
    return `${this.#directory}/${token}`;
  }
}

const MAX_ATTEMPTS = 10;
const RETRY_MS = 20;

async function poll(waitMs: number, isDone: () => boolean): Promise<boolean> {
  const until = performance.now() + waitMs;
  while (!isDone()) {
    if (performance.now() > until) return false;
    // Two processes that both withdrew try again after different delays.
    await sleep(RETRY_MS * (0.5 + Math.random()));
  }
  return true;
}

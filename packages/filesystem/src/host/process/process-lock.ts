import { linkSync, readdirSync, writeFileSync } from "node:fs";
import { SnapshotError } from "../../snapshots/snapshot-error.js";
import { errorCode, tolerating } from "./from-node-error.js";
import { isOwnerAlive, releaseToken, takeToken } from "./owner.js";
import { makeDirectories, removeIfThere } from "./store-io.js";

/**
 * A lock between processes, in its own directory. A dead process does not hold it.
 *
 * The directory contains numbered files, and the highest number holds the lock. If its owner is dead, a process
 * takes the lock by creating the next number, which only one process can do. The dead owner's file is never
 * replaced, so no process can overwrite a lock that another has just taken.
 */
export class ProcessLock {
  readonly #directory: string;
  #held: { readonly path: string; readonly token: string } | undefined;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Whether another process holds the lock. */
  get isTaken(): boolean {
    const highest = this.#highest();
    return highest > 0 && this.#held === undefined && isOwnerAlive(this.#path(highest));
  }

  tryAcquire(): boolean {
    if (this.#held !== undefined || this.isTaken) return false;
    makeDirectories(this.#directory);
    const token = takeToken();
    try {
      const path = this.#claim(token);
      if (path !== undefined) this.#held = { path, token };
    } finally {
      if (this.#held === undefined) releaseToken(token);
    }
    return this.#held !== undefined;
  }

  #claim(token: string): string | undefined {
    const own = `${this.#directory}/${token}`;
    const number = this.#highest() + 1;
    const path = this.#path(number);
    try {
      writeFileSync(own, token, { flag: "wx", mode: 0o600 });
      linkSync(own, path);
    } catch (error) {
      if (errorCode(error) === "EEXIST") return undefined;
      throw error;
    } finally {
      removeIfThere(own);
    }
    // Another process took over the dead owner's lock first.
    if (this.#highest() > number) {
      removeIfThere(path);
      return undefined;
    }
    for (const lower of this.#numbers()) if (lower < number) removeIfThere(this.#path(lower));
    return path;
  }

  /** Waits up to `waitMs` for the lock. @throws SnapshotError `BUSY` */
  async acquire(waitMs: number): Promise<void> {
    const until = performance.now() + waitMs;
    while (!this.tryAcquire()) {
      if (performance.now() > until) throw new SnapshotError("BUSY");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  /** Waits until no other process holds the lock. @throws SnapshotError `BUSY` */
  async whenFree(waitMs: number): Promise<void> {
    const until = performance.now() + waitMs;
    while (this.isTaken) {
      if (performance.now() > until) throw new SnapshotError("BUSY");
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  release(): void {
    if (this.#held === undefined) return;
    const { path, token } = this.#held;
    this.#held = undefined;
    releaseToken(token);
    removeIfThere(path);
  }

  #path(number: number): string {
    return `${this.#directory}/${number}`;
  }

  #highest(): number {
    return Math.max(0, ...this.#numbers());
  }

  #numbers(): readonly number[] {
    const names = tolerating(["ENOENT"], () => readdirSync(this.#directory), []);
    return names.filter((name) => /^\d+$/.test(name)).map(Number);
  }
}

const RETRY_MS = 20;

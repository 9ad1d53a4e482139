import { FilesystemError } from "@wink/filesystem";
import { ProcessLock } from "@wink/filesystem/host";
import { WorkspaceError } from "../error/workspace-error.js";

const DEFAULT_WAIT_MS = 30_000;

/**
 * The lock of a workspace. While a process holds it, no other process changes files, record or directory. A dead
 * process does not hold it.
 */
export class WorkspaceLock {
  readonly #lock: ProcessLock;
  readonly #waitMs: number;
  #isClosed = false;
  #held: { readonly ready: Promise<void>; count: number } | undefined;

  constructor(path: string, waitMs: number = DEFAULT_WAIT_MS) {
    this.#lock = new ProcessLock(path);
    this.#waitMs = waitMs;
  }

  get isHeld(): boolean {
    return this.#held !== undefined;
  }

  /** Releases the lock, also while calls of this process hold it. For the end of a workspace. */
  close(): void {
    this.#isClosed = true;
    this.#held = undefined;
    this.#lock.release();
  }

  /** Runs `work` with the lock. Reentrant for this object. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    const release = await this.take();
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Acquires the lock. The returned function releases it once. */
  async take(): Promise<() => void> {
    if (this.#isClosed)
      throw new FilesystemError("EBADF", {
        operation: "open",
        path: ".",
        reason: "the workspace is closed",
      });
    this.#held ??= { ready: this.#acquire(), count: 0 };
    const held = this.#held;
    held.count++;
    try {
      await held.ready;
    } catch (error) {
      if (this.#held === held) this.#held = undefined;
      throw error;
    }
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      if (--held.count > 0) return;
      if (this.#held === held) this.#held = undefined;
      this.#lock.release();
    };
  }

  async #acquire(): Promise<void> {
    if (await this.#lock.acquire(this.#waitMs)) return;
    throw new WorkspaceError("BUSY", {
      subject: "workspace",
      reason:
        "another process is using it. Wait until its call has ended, or stop it, and try again.",
    });
  }
}

import { closeSync, openSync } from "node:fs";
import { availableParallelism } from "node:os";
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from "node:worker_threads";
import type { DriverEntry, Needle } from "../../driver/driver.js";
import { DOUBTFUL } from "../../path/host-name.js";
import { OWN_DESCRIPTORS } from "../containment/containment.js";
import type { HostRoot } from "../containment/host-root.js";
import type { PinnedDirectory } from "../containment/pinned-directory.js";
import { TimeSlice } from "../process/time-slice.js";
import {
  BUSY,
  LOOK_AHEAD_SOURCE,
  type Looked,
  MAX_BYTES,
  TASK_LENGTH,
  TURN,
} from "./look-ahead-thread.js";

const TASK_BYTES = 4_096;
/** How long the end of a search waits for the thread, which usually stops within microseconds. */
const BRIEFLY_MS = 1;
const LOOK_AGAIN_MS = 5;
/** A thread that is still busy after this time counts as stuck. */
const PATIENCE_MS = 5_000;

/**
 * A second thread that reads files before a search reaches them.
 *
 * No caller waits for it. While it is still busy with a search that has ended, the base directory of that search
 * stays open, so that its descriptor number is not reused. No other search can use the thread until then.
 */
export class LookAhead {
  readonly #root: HostRoot;
  readonly #mostBytes: number;
  readonly #state = new Int32Array(new SharedArrayBuffer(4 * 4));
  readonly #task = Buffer.from(new SharedArrayBuffer(TASK_BYTES));
  readonly #looked = new Map<string, readonly DriverEntry[]>();
  #worker: Worker | undefined;
  /** Receives the thread's results. */
  #port: MessagePort | undefined;
  /** The base directory of the search that the thread works for or has not finished yet. */
  #base: number | undefined;
  #isServing = false;
  /** Whether the thread is never used again, because it is closed, stuck, broken or not allowed. */
  #isOver = false;
  #settling: NodeJS.Timeout | undefined;

  private constructor(root: HostRoot, mostBytes: number) {
    this.#root = root;
    this.#mostBytes = mostBytes;
  }

  /**
   * Returns `undefined` on a single processor, where a second thread would only slow down the first. `mostBytes` is
   * the size of one read.
   */
  static where(root: HostRoot, mostBytes: number): LookAhead | undefined {
    return availableParallelism() > 1 ? new LookAhead(root, mostBytes) : undefined;
  }

  /**
   * Starts at the end of the directory that a search walks. Returns whether it started: the thread serves one
   * search at a time.
   */
  begin(base: PinnedDirectory, { text, maxBytes }: Needle): boolean {
    if (this.#isOver || this.#isServing || !this.#settle()) return false;
    const fd = this.#open(base);
    if (fd === undefined) return false;
    const task = `${fd}\0${text}`;
    if (Buffer.byteLength(task) > TASK_BYTES || !this.#start()) {
      closeSync(fd);
      return false;
    }
    this.#base = fd;
    this.#isServing = true;
    Atomics.store(this.#state, TASK_LENGTH, this.#task.write(task));
    Atomics.store(this.#state, MAX_BYTES, maxBytes);
    Atomics.add(this.#state, TURN, 1);
    Atomics.notify(this.#state, TURN);
    return true;
  }

  /**
   * The entries of a directory without its text files that lack the needle, or `undefined` if the thread has not
   * finished the directory. A result means that thread and search have met.
   */
  leftIn(path: string): readonly DriverEntry[] | undefined {
    for (let next = this.#receive(); next !== undefined; next = this.#receive())
      this.#looked.set(next.path, next.left);
    const left = this.#looked.get(path);
    if (left !== undefined) this.#stop();
    return left;
  }

  /**
   * Ends the search. The thread may still be busy, because reading a large directory takes long and cannot be
   * interrupted.
   */
  end(): void {
    if (!this.#isServing) return;
    this.#leave();
    if (this.#isBusy()) Atomics.wait(this.#state, BUSY, 1, BRIEFLY_MS);
    if (!this.#settle()) this.#settleLater(performance.now() + PATIENCE_MS);
  }

  /** Does not wait for the thread to end. */
  close(): void {
    this.#leave();
    this.#terminate();
  }

  #leave(): void {
    this.#isServing = false;
    this.#looked.clear();
    this.#stop();
  }

  #stop(): void {
    if (Atomics.load(this.#state, TASK_LENGTH) === 0) return;
    Atomics.store(this.#state, TASK_LENGTH, 0);
    Atomics.add(this.#state, TURN, 1);
  }

  #isBusy(): boolean {
    return Atomics.load(this.#state, BUSY) === 1;
  }

  /**
   * Closes the base of the search that has ended if the thread is done with it. Returns whether nothing of that
   * search is left.
   */
  #settle(): boolean {
    if (this.#base === undefined) return true;
    if (this.#isBusy()) return false;
    const slice = new TimeSlice();
    // Drop all results, so that the next search does not get them.
    while (this.#receive() !== undefined) if (slice.due) return false;
    this.#release();
    return true;
  }

  #settleLater(deadlineMs: number): void {
    const lookAgain = () => {
      if (this.#settle()) return;
      if (this.#isBusy() && performance.now() > deadlineMs) this.#terminate();
      else this.#settleLater(deadlineMs);
    };
    this.#settling = setTimeout(lookAgain, LOOK_AGAIN_MS).unref();
  }

  #release(): void {
    clearTimeout(this.#settling);
    if (this.#base !== undefined) closeSync(this.#base);
    this.#base = undefined;
  }

  #receive(): Looked | undefined {
    // Safe: only the thread has the other end of the port.
    return this.#port && (receiveMessageOnPort(this.#port)?.message as Looked | undefined);
  }

  #terminate(): void {
    this.#isOver = true;
    clearTimeout(this.#settling);
    this.#port?.close();
    this.#port = undefined;
    // Node closes the thread's descriptors when it ends. The base belongs to this thread and is closed in the exit
    // handler.
    void this.#worker?.terminate();
    this.#worker?.unref();
  }

  /** Opens the base again, because the walk may close its own descriptor before the search is over. */
  #open(base: PinnedDirectory): number | undefined {
    try {
      return openSync(`${base.prefix}.`, this.#root.directoryFlags);
    } catch {
      // Ignored: the search runs into the same error itself.
      return undefined;
    }
  }

  /** Returns whether the thread is running. Without it a search only takes longer. */
  #start(): boolean {
    if (this.#worker !== undefined) return true;
    const { port1, port2 } = new MessageChannel();
    port1.unref();
    try {
      this.#worker = this.#startThread(port2);
      this.#port = port1;
      return true;
    } catch {
      // Node's permission model may forbid threads.
      this.#isOver = true;
      port1.close();
      return false;
    }
  }

  #startThread(port: MessagePort): Worker {
    const workerData = {
      state: this.#state,
      task: this.#task.buffer,
      port,
      descriptors: OWN_DESCRIPTORS,
      flags: { file: this.#root.fileFlags, directory: this.#root.directoryFlags },
      mostBytes: this.#mostBytes,
      doubtful: DOUBTFUL,
    };
    const options = { eval: true, workerData, transferList: [port], env: {}, execArgv: [] };
    const worker = new Worker(LOOK_AHEAD_SOURCE, options);
    worker.on("error", () => {});
    worker.once("exit", () => {
      this.#isOver = true;
      this.#release();
    });
    worker.unref();
    return worker;
  }
}

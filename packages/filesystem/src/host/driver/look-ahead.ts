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
import { OWN_DESCRIPTORS, type PinnedDirectory } from "../containment/containment.js";
import type { HostRoot } from "../containment/host-root.js";
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
/** How long the end of a search waits for the thread, which mostly is back within microseconds. */
const BRIEFLY_MS = 1;
const LOOK_AGAIN_MS = 5;
/** A thread that is not back after so long is taken for stuck. */
const PATIENCE_MS = 5_000;

/**
 * A second thread that looks into files before a search comes to them.
 *
 * Nobody waits for it. While it is still busy with a search that has ended, the base of that
 * search stays open, because its number must not be somebody else's, and no other is begun.
 */
export class LookAhead {
  readonly #root: HostRoot;
  readonly #mostBytes: number;
  readonly #state = new Int32Array(new SharedArrayBuffer(4 * 4));
  readonly #task = Buffer.from(new SharedArrayBuffer(TASK_BYTES));
  readonly #looked = new Map<string, readonly DriverEntry[]>();
  #worker: Worker | undefined;
  /** What it says comes in here. */
  #port: MessagePort | undefined;
  /** Of the search that it serves, or has not come back from. */
  #base: number | undefined;
  #isServing = false;
  /** Whether it is never asked again: closed, stuck, broken or not allowed. */
  #isOver = false;
  #settling: NodeJS.Timeout | undefined;

  private constructor(root: HostRoot, mostBytes: number) {
    this.#root = root;
    this.#mostBytes = mostBytes;
  }

  /** `undefined` where a second thread would only take time from the first. `mostBytes` is what one read takes. */
  static where(root: HostRoot, mostBytes: number): LookAhead | undefined {
    return availableParallelism() > 1 ? new LookAhead(root, mostBytes) : undefined;
  }

  /** Starts from the end of the directory that a search walks. Answers whether it did: it serves one search at a time. */
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

  /** What is left of a directory when its text files without the needle are gone, if it has been there. Then the two have met. */
  leftIn(path: string): readonly DriverEntry[] | undefined {
    for (let next = this.#receive(); next !== undefined; next = this.#receive())
      this.#looked.set(next.path, next.left);
    const left = this.#looked.get(path);
    if (left !== undefined) this.#stop();
    return left;
  }

  /** The search is over. The thread may not be: reading a large directory takes long, and cannot be broken off. */
  end(): void {
    if (!this.#isServing) return;
    this.#leave();
    if (this.#isBusy()) Atomics.wait(this.#state, BUSY, 1, BRIEFLY_MS);
    if (!this.#settle()) this.#settleLater(performance.now() + PATIENCE_MS);
  }

  /** Does not wait for the thread to be gone. */
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

  /** Lets go of the search that has ended once the thread is back from it. Answers whether nothing of it is left. */
  #settle(): boolean {
    if (this.#base === undefined) return true;
    if (this.#isBusy()) return false;
    const slice = new TimeSlice();
    // Nothing of this search may be there in the next.
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
    // Only the thread has the other end.
    return this.#port && (receiveMessageOnPort(this.#port)?.message as Looked | undefined);
  }

  #terminate(): void {
    this.#isOver = true;
    clearTimeout(this.#settling);
    this.#port?.close();
    this.#port = undefined;
    // Node closes what it has open when it ends; the base is ours to close, when it has.
    void this.#worker?.terminate();
    this.#worker?.unref();
  }

  /** Its own descriptor, because the walk may let go of its base before the search is over. */
  #open(base: PinnedDirectory): number | undefined {
    try {
      return openSync(`${base.prefix}.`, this.#root.directoryFlags);
    } catch {
      // Whatever is wrong with it, the search comes to that by itself.
      return undefined;
    }
  }

  /** Answers whether there is a thread. Without one everything works as well, only slower. */
  #start(): boolean {
    if (this.#worker !== undefined) return true;
    const { port1, port2 } = new MessageChannel();
    port1.unref();
    try {
      this.#worker = this.#startThread(port2);
      this.#port = port1;
      return true;
    } catch {
      // A process under Node's permission model may not have threads.
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

import { closeSync, openSync } from "node:fs";
import { availableParallelism } from "node:os";
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from "node:worker_threads";
import type { DriverEntry, Needle } from "../driver.js";
import { OWN_DESCRIPTORS, type PinnedDirectory } from "./containment.js";
import { DOUBTFUL } from "./host-name.js";
import type { HostRoot } from "./host-root.js";

/** Deeper directories are left to the search: each level holds a descriptor. */
const MOST_LEVELS = 32;
/** It looks at no more files than this in one search. */
const MOST_FILES = 1_000_000;
const PATIENCE_MS = 5_000;
const TASK_BYTES = 4_096;
/** Files are read one behind the other up to so many bytes and judged together: each look at bytes has its price. */
const BATCH_BYTES = 32 * 1024;

/** Where each number lies in the memory that both threads share. */
const TURN = 0;
const TASK_LENGTH = 1;
const MAX_BYTES = 2;
const BUSY = 3;

/**
 * The other thread: walks from the last directory to the first while the search walks from the first to the last,
 * until the two meet. Whole directories apart, because two threads that open files in the same one hold each other up.
 *
 * It goes as the search goes, by open directories and over no link, and tells no more than what is in a directory
 * besides text files without the needle. It waits for its turns without an event loop.
 */
const SOURCE = `
const { isUtf8 } = require("node:buffer");
const { closeSync, fstatSync, openSync, readdirSync, readSync } = require("node:fs");
const { state, task, port, descriptors, flags, mostBytes, doubtful } = require("node:worker_threads").workerData;
const bytesOfTask = Buffer.from(task);
const scratch = Buffer.allocUnsafe(${BATCH_BYTES} + mostBytes + 1);
let turn = 0;
let needle;
let device;
let budget;
for (;;) {
  Atomics.wait(state, ${TURN}, turn);
  turn = Atomics.load(state, ${TURN});
  Atomics.store(state, ${BUSY}, 1);
  const length = Atomics.load(state, ${TASK_LENGTH});
  try { if (length > 0 && isWanted()) begin(bytesOfTask.toString("utf8", 0, length).split("\\0")); } catch {}
  Atomics.store(state, ${BUSY}, 0);
  Atomics.notify(state, ${BUSY});
}
function isWanted() {
  return Atomics.load(state, ${TURN}) === turn;
}
function begin([fd, text]) {
  needle = Buffer.from(text);
  device = fstatSync(Number(fd)).dev;
  budget = ${MOST_FILES};
  look(Number(fd), "", 0);
}
function look(fd, path, level) {
  const prefix = descriptors + "/" + fd + "/";
  const entries = readdirSync(prefix, { withFileTypes: true });
  const inside = entries.filter((entry) => entry.isDirectory() && entry.name !== ".git").map(({ name }) => name + "/");
  if (level < ${MOST_LEVELS}) for (const name of inside.sort().reverse()) lookInside(prefix, path, name, level + 1);
  // Names that the search must read as bytes are left to it.
  if (entries.some(({ name }) => doubtful.test(name))) return;
  const left = [];
  if (lookAtFiles(prefix, entries, left)) port.postMessage({ path, left });
}
function lookInside(prefix, path, name, level) {
  if (budget < 0 || !isWanted()) return;
  let fd;
  try {
    fd = openSync(prefix + name.slice(0, -1), flags.directory);
    if (fstatSync(fd).dev === device) look(fd, path + name, level);
  } catch {
  } finally {
    close(fd);
  }
}
function lookAtFiles(prefix, entries, left) {
  let batch = [];
  let used = 0;
  for (const entry of entries) {
    const { name } = entry;
    if (--budget < 0 || !isWanted()) return false;
    const end = entry.isFile() ? read(prefix + name, used) : undefined;
    if (end === undefined) {
      left.push({ name, kind: kindOf(entry) });
      continue;
    }
    batch.push({ name, start: used, end });
    scratch[end] = 10;
    used = end + 1;
    if (used < ${BATCH_BYTES}) continue;
    judge(batch, used, left);
    batch = [];
    used = 0;
  }
  judge(batch, used, left);
  return true;
}
function judge(batch, used, left) {
  if (lacks(0, used)) return;
  for (const { name, start, end } of batch) if (!lacks(start, end)) left.push({ name, kind: "file" });
}
function lacks(start, end) {
  const bytes = scratch.subarray(start, end);
  return bytes.indexOf(needle) < 0 && bytes.indexOf(0) < 0 && isUtf8(bytes);
}
function read(path, start) {
  let fd;
  try {
    fd = openSync(path, flags.file);
    const count = readSync(fd, scratch, start, mostBytes, 0);
    return count === mostBytes || count > state[${MAX_BYTES}] ? undefined : start + count;
  } catch {
  } finally {
    close(fd);
  }
}
function kindOf(entry) {
  return entry.isFile() ? "file" : entry.isDirectory() ? "directory" : entry.isSymbolicLink() ? "symlink" : "special";
}
function close(fd) {
  try { if (fd !== undefined) closeSync(fd); } catch {}
}`;

interface Looked {
  /** Below the base of the search, with a slash at its end; empty for the base. */
  readonly path: string;
  /** What is not a text file without the needle. */
  readonly left: readonly DriverEntry[];
}

/** A second thread that looks into files before a search comes to them. */
export class LookAhead {
  readonly #root: HostRoot;
  readonly #mostBytes: number;
  readonly #state = new Int32Array(new SharedArrayBuffer(4 * 4));
  readonly #task = Buffer.from(new SharedArrayBuffer(TASK_BYTES));
  readonly #looked = new Map<string, readonly DriverEntry[]>();
  #worker: Worker | undefined;
  /** What it says comes in here. */
  #port: MessagePort | undefined;
  #base: number | undefined;
  #isStuck = false;

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
    if (this.#base !== undefined || this.#isStuck) return false;
    // Its own, because the walk may let go of its base before the search is over.
    const fd = openSync(`${base.prefix}.`, this.#root.directoryFlags);
    const task = `${fd}\0${text}`;
    if (Buffer.byteLength(task) > TASK_BYTES) {
      closeSync(fd);
      return false;
    }
    this.#base = fd;
    Atomics.store(this.#state, TASK_LENGTH, this.#task.write(task));
    Atomics.store(this.#state, MAX_BYTES, maxBytes);
    this.#worker ??= this.#start();
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

  /** The search is over. */
  end(): void {
    if (this.#base === undefined) return;
    this.#stop();
    // It looks at most into one more file. One that does not come back from there is not waited for again.
    if (Atomics.load(this.#state, BUSY) === 1)
      this.#isStuck = Atomics.wait(this.#state, BUSY, 1, PATIENCE_MS) === "timed-out";
    if (this.#isStuck) this.#terminate();
    // Nothing of this search may be there in the next.
    while (this.#receive() !== undefined);
    this.#looked.clear();
    closeSync(this.#base);
    this.#base = undefined;
  }

  close(): void {
    this.end();
    this.#terminate();
  }

  #stop(): void {
    if (Atomics.load(this.#state, TASK_LENGTH) === 0) return;
    Atomics.store(this.#state, TASK_LENGTH, 0);
    Atomics.add(this.#state, TURN, 1);
  }

  #receive(): Looked | undefined {
    // Only the thread has the other end.
    return this.#port && (receiveMessageOnPort(this.#port)?.message as Looked | undefined);
  }

  #terminate(): void {
    void this.#worker?.terminate();
    this.#worker = undefined;
    this.#port?.close();
    this.#port = undefined;
  }

  #start(): Worker {
    const { port1, port2: port } = new MessageChannel();
    port1.unref();
    this.#port = port1;
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
    const worker = new Worker(SOURCE, options);
    // Without it everything works as well, only slower.
    worker.on("error", () => {});
    worker.unref();
    return worker;
  }
}

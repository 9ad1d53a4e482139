import { closeSync, openSync } from "node:fs";
import { availableParallelism } from "node:os";
import {
  MessageChannel,
  type MessagePort,
  receiveMessageOnPort,
  Worker,
} from "node:worker_threads";
import type { Needle } from "../driver.js";
import { OWN_DESCRIPTORS, type PinnedDirectory } from "./containment.js";
import { DOUBTFUL } from "./host-name.js";
import type { HostRoot } from "./host-root.js";

/** Deeper directories are left to the search: each level holds a descriptor. */
const MOST_LEVELS = 32;
/** It looks at no more files than this in one search. */
const MOST_FILES = 1_000_000;
const PATIENCE_MS = 5_000;
const TASK_BYTES = 4_096;

/** Where each number lies in the memory that both threads share. */
const TURN = 0;
const TASK_LENGTH = 1;
const MAX_BYTES = 2;
const BUSY = 3;

/**
 * The other thread: walks from the last directory to the first while the search walks from the first to the last,
 * until the two meet. Whole directories apart, because two threads that open files in the same one hold each other up.
 *
 * It goes as the search goes, by open directories and over no link, and tells no more than which files are text without
 * the needle. It waits for its turns without an event loop.
 */
const SOURCE = `
const { isUtf8 } = require("node:buffer");
const { closeSync, fstatSync, openSync, readdirSync, readSync } = require("node:fs");
const { state, task, port, descriptors, flags, mostBytes, doubtful } = require("node:worker_threads").workerData;
const bytesOfTask = Buffer.from(task);
const scratch = Buffer.allocUnsafe(mostBytes);
let turn = 0;
let needle;
let device;
let left;
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
  left = ${MOST_FILES};
  look(Number(fd), "", 0);
}
function look(fd, path, level) {
  const prefix = descriptors + "/" + fd + "/";
  const entries = readdirSync(prefix, { withFileTypes: true }).filter(({ name }) => !doubtful.test(name));
  const inside = entries.filter((entry) => entry.isDirectory() && entry.name !== ".git").map(({ name }) => name + "/");
  if (level < ${MOST_LEVELS}) for (const name of inside.sort().reverse()) lookInside(prefix, path, name, level + 1);
  const lacking = [];
  for (const entry of entries) {
    if (--left < 0 || !isWanted()) return;
    if (entry.isFile() && lacks(prefix + entry.name)) lacking.push(entry.name);
  }
  port.postMessage({ path, lacking: lacking.join("\\0") });
}
function lookInside(prefix, path, name, level) {
  if (left < 0 || !isWanted()) return;
  let fd;
  try {
    fd = openSync(prefix + name.slice(0, -1), flags.directory);
    if (fstatSync(fd).dev === device) look(fd, path + name, level);
  } catch {
  } finally {
    close(fd);
  }
}
function lacks(path) {
  let fd;
  try {
    fd = openSync(path, flags.file);
    const count = readSync(fd, scratch, 0, mostBytes, 0);
    if (count === mostBytes || count > state[${MAX_BYTES}]) return false;
    const bytes = scratch.subarray(0, count);
    return bytes.indexOf(needle) < 0 && bytes.indexOf(0) < 0 && isUtf8(bytes);
  } catch {
    return false;
  } finally {
    close(fd);
  }
}
function close(fd) {
  try { if (fd !== undefined) closeSync(fd); } catch {}
}`;

interface Looked {
  /** Below the base of the search, with a slash at its end; empty for the base. */
  readonly path: string;
  readonly lacking: string;
}

/** A second thread that looks into files before a search comes to them. */
export class LookAhead {
  readonly #root: HostRoot;
  readonly #mostBytes: number;
  readonly #state = new Int32Array(new SharedArrayBuffer(4 * 4));
  readonly #task = Buffer.from(new SharedArrayBuffer(TASK_BYTES));
  readonly #found = new Map<string, string>();
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

  /** Which files of a directory are known to be text without the needle, if it has been there. Then the two have met. */
  lackingIn(path: string): ReadonlySet<string> | undefined {
    for (let next = this.#receive(); next !== undefined; next = this.#receive())
      this.#found.set(next.path, next.lacking);
    const lacking = this.#found.get(path);
    if (lacking === undefined) return undefined;
    this.#stop();
    return new Set(lacking.split("\0"));
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
    this.#found.clear();
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

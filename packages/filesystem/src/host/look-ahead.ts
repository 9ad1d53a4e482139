import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { DriverEntry, Needle } from "../driver.js";
import type { PinnedDirectory } from "./containment.js";
import { rawName } from "./host-name.js";

/** A search that has come to fewer files is over before another thread has started. */
const LEAST_FILES = 1_000;
/** Handing over fewer files of one directory takes longer than looking into them. */
const LEAST_AT_ONCE = 24;
const MOST_AT_ONCE = 1_024;
/** What the names of those take at most, the needle and the way to the directory included: a name has 255 bytes. */
const TASK_BYTES = (MOST_AT_ONCE + 8) * 256;
const PATIENCE_MS = 2_000;

/** Where each number lies in the memory that both threads share. */
const TURN = 0;
const TASK_LENGTH = 1;
const MAX_BYTES = 2;
const REACHED = 3;
const DONE = 4;
const BUSY = 5;

/**
 * The other thread: looks into the files of a directory from the last one on, while the search comes from the
 * first, until the two meet. It tells no more than which files are text without the needle.
 *
 * It waits for its turns without an event loop: messages would take as long as ten files.
 */
const SOURCE = `
const { isUtf8 } = require("node:buffer");
const { closeSync, openSync, readSync } = require("node:fs");
const { state, task, verdicts, flags, mostBytes } = require("node:worker_threads").workerData;
const bytesOfTask = Buffer.from(task);
const scratch = Buffer.allocUnsafe(mostBytes);
for (let turn = 0; ; ) {
  Atomics.wait(state, ${TURN}, turn);
  turn = Atomics.load(state, ${TURN});
  Atomics.store(state, ${BUSY}, 1);
  if (Atomics.load(state, ${TURN}) === turn) look(turn);
  Atomics.store(state, ${BUSY}, 0);
  Atomics.notify(state, ${BUSY});
}
function look(turn) {
  const [prefix, text, ...names] = bytesOfTask.toString("utf8", 0, state[${TASK_LENGTH}]).split("\\0");
  const needle = Buffer.from(text);
  for (let at = names.length - 1; at > Atomics.load(state, ${REACHED}); at--) {
    if (Atomics.load(state, ${TURN}) !== turn) return;
    verdicts[at] = lacks(prefix + names[at], needle) ? 1 : 0;
    Atomics.store(state, ${DONE}, at);
  }
}
function lacks(path, needle) {
  let fd;
  try {
    fd = openSync(path, flags);
    const count = readSync(fd, scratch, 0, mostBytes, 0);
    if (count === mostBytes || count > state[${MAX_BYTES}]) return false;
    const bytes = scratch.subarray(0, count);
    return bytes.indexOf(needle) < 0 && bytes.indexOf(0) < 0 && isUtf8(bytes);
  } catch {
    return false;
  } finally {
    try { if (fd !== undefined) closeSync(fd); } catch {}
  }
}`;

/** A directory that a walk is in. */
export interface Passing {
  /** `undefined` once it had to be let go of. */
  readonly directory: PinnedDirectory | undefined;
  readonly entries: readonly DriverEntry[];
  /** Just behind the entry that the walk has come to. */
  readonly next: number;
}

interface Lent {
  readonly passing: Passing;
  /** The first entry that was handed over. */
  readonly from: number;
  readonly count: number;
}

/**
 * A second thread that looks into files before a search comes to them.
 *
 * It is lent the search's own open directories, one at a time. Whoever lets go of a directory calls `leave`
 * first, after which the thread does not touch it any more: a number once closed may be another's.
 */
export class LookAhead {
  readonly #flags: number;
  readonly #mostBytes: number;
  readonly #state = new Int32Array(new SharedArrayBuffer(6 * 4));
  readonly #task = new SharedArrayBuffer(TASK_BYTES);
  readonly #verdicts = new Uint8Array(new SharedArrayBuffer(MOST_AT_ONCE));
  #worker: Worker | undefined;
  #lent: Lent | undefined;
  #filesSeen = 0;
  #isStuck = false;

  /** `flags` are those by which a file is opened, `mostBytes` what one read takes. */
  private constructor(flags: number, mostBytes: number) {
    this.#flags = flags;
    this.#mostBytes = mostBytes;
  }

  /** `undefined` where a second thread would only take time from the first. */
  static where(flags: number, mostBytes: number): LookAhead | undefined {
    return availableParallelism() > 1 ? new LookAhead(flags, mostBytes) : undefined;
  }

  /** Whether the file that the walk has come to is known to be text without the needle. */
  rulesOut(passing: Passing, needle: Needle): boolean {
    if (++this.#filesSeen < LEAST_FILES) return false;
    const at = passing.next - 1;
    if (this.#lent?.passing !== passing || at >= this.#lent.from + this.#lent.count)
      this.#lend(passing, at, needle);
    if (this.#lent === undefined) return false;
    const index = at - this.#lent.from;
    Atomics.store(this.#state, REACHED, index);
    return index >= Atomics.load(this.#state, DONE) && this.#verdicts[index] === 1;
  }

  /** Takes back what was lent of this directory, or of any. */
  leave(passing = this.#lent?.passing): void {
    if (this.#lent === undefined || this.#lent.passing !== passing) return;
    this.#lent = undefined;
    Atomics.add(this.#state, TURN, 1);
    // It looks at most into one more file. One that does not come back from there is not waited for again.
    if (Atomics.load(this.#state, BUSY) === 1)
      this.#isStuck = Atomics.wait(this.#state, BUSY, 1, PATIENCE_MS) === "timed-out";
    if (this.#isStuck) this.close();
  }

  close(): void {
    this.leave();
    void this.#worker?.terminate();
    this.#worker = undefined;
  }

  #lend(passing: Passing, at: number, { text, maxBytes }: Needle): void {
    this.leave();
    const { directory, entries } = passing;
    if (directory === undefined || this.#isStuck) return;
    const names = namesFrom(entries, at);
    if (names.length < LEAST_AT_ONCE) return;
    this.#lent = { passing, from: at, count: names.length };
    const task = [directory.prefix, text, ...names].join("\0");
    Atomics.store(this.#state, TASK_LENGTH, Buffer.from(this.#task).write(task));
    Atomics.store(this.#state, MAX_BYTES, maxBytes);
    Atomics.store(this.#state, REACHED, 0);
    Atomics.store(this.#state, DONE, names.length);
    this.#start();
    Atomics.add(this.#state, TURN, 1);
    Atomics.notify(this.#state, TURN);
  }

  #start(): void {
    if (this.#worker !== undefined) return;
    const workerData = {
      state: this.#state,
      task: this.#task,
      verdicts: this.#verdicts,
      flags: this.#flags,
      mostBytes: this.#mostBytes,
    };
    this.#worker = new Worker(SOURCE, { eval: true, workerData, env: {}, execArgv: [] });
    // Without it everything works as well, only slower.
    this.#worker.on("error", () => {});
    this.#worker.unref();
  }
}

/** The files that follow each other from `at` on and have plain names. */
function namesFrom(entries: readonly DriverEntry[], at: number): string[] {
  const names: string[] = [];
  for (const { name, kind } of entries.slice(at, at + MOST_AT_ONCE)) {
    if (kind !== "file" || rawName(name) !== name) break;
    names.push(name);
  }
  return names;
}

import type { DriverEntry } from "../../driver/driver.js";

/** Deeper directories are left to the search, because each level holds a descriptor. */
const MAX_LEVELS = 32;
/** The maximum number of files that the thread reads in one search. */
const MAX_FILES = 1_000_000;
/** Files are read into one buffer up to this size and scanned together, because each scan has a fixed cost. */
const BATCH_BYTES = 32 * 1024;

/** The indices of the numbers in the memory that both threads share. */
export const TURN = 0;
export const TASK_LENGTH = 1;
export const MAX_BYTES = 2;
/** 1 from before the thread starts a task until it has closed all its descriptors. */
export const BUSY = 3;

/** The thread's result for one directory. */
export interface Looked {
  /** The path below the base of the search, with a slash at the end. Empty for the base. */
  readonly path: string;
  /** All entries except text files without the needle. */
  readonly left: readonly DriverEntry[];
}

/**
 * The source of the second thread. It walks from the last directory to the first while the search walks from the
 * first to the last, until the two meet. The threads work in different directories, because two threads that open
 * files in the same directory slow each other down.
 *
 * Like the search, it works on open directories and follows no link. It reports only the entries of a directory
 * that are not text files without the needle. It waits for tasks with `Atomics.wait`, without an event loop.
 */
export const LOOK_AHEAD_SOURCE = `
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
  budget = ${MAX_FILES};
  look(Number(fd), "", 0);
}
function look(fd, path, level) {
  const prefix = descriptors + "/" + fd + "/";
  const entries = readdirSync(prefix, { withFileTypes: true });
  // Reading a large directory takes long, so check again.
  if (!isWanted()) return;
  const inside = entries.filter((entry) => entry.isDirectory() && entry.name !== ".git").map(({ name }) => name + "/");
  if (level < ${MAX_LEVELS}) for (const name of inside.sort().reverse()) lookInside(prefix, path, name, level + 1);
  if (!isWanted()) return;
  // The search must read such names as bytes, so leave the directory to it.
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

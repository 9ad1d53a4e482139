import { Worker } from "node:worker_threads";

// Another thread, so that the process is killed at any moment, also during synchronous work.
const KILLER = `const { workerData } = require("node:worker_threads");
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData.afterMs);
process.kill(workerData.pid, "SIGKILL");`;

/** Kills this process like `kill -9` after some milliseconds. Never, if that is 0. */
export function killAfter(afterMs: number): void {
  if (afterMs > 0)
    new Worker(KILLER, { eval: true, workerData: { afterMs, pid: process.pid } }).unref();
}

import { Worker } from "node:worker_threads";
import { continueOnce, resumePlace } from "./resume-agent.test.support.js";

/** Continues the run in a store until it is over, waits, or is killed: `<directory> <url> <ms until the kill>`. */
const [directory = "", url = "", afterMs = "0"] = process.argv.slice(2);
// Another thread, so that the process is killed at any moment, also during synchronous work.
const KILLER = `const { workerData } = require("node:worker_threads");
Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, workerData.afterMs);
process.kill(workerData.pid, "SIGKILL");`;
if (Number(afterMs) > 0)
  new Worker(KILLER, {
    eval: true,
    workerData: { afterMs: Number(afterMs), pid: process.pid },
  }).unref();
const startedAtMs = performance.now();
const how = await continueOnce(resumePlace(directory), "store", url);
process.stdout.write(`${how} ${performance.now() - startedAtMs}\n`);
process.exit(0);

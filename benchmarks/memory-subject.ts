// Holds one filesystem in memory and times the requested workloads on it.
import { timeOnce } from "./harness.js";
import { memoryPeers } from "./memory-peers.js";
import { memoryWorkloads, type Workload } from "./memory-workloads.js";

/** Warm-up time, so that the timed code is compiled. A workload warms up at least once. */
const WARM_UP_MS = process.argv.includes("quick") ? 100 : 300;
/** Time for one measurement, with at least one run: a single run of a few microseconds is too noisy. */
const TIMED_MS = 60;

const [name = "", count = ""] = process.argv.slice(2);
const open = memoryPeers[name];
if (open === undefined) throw new Error(`Unknown filesystem: ${name}.`);
const workloads = memoryWorkloads(open, Number(count));
let warm: string | undefined;

process.on("message", async (wanted: string) => {
  const workload = workloads[wanted];
  if (workload === undefined) throw new Error(`Unknown workload: ${wanted}.`);
  if (warm !== wanted) await repeat(workload, WARM_UP_MS);
  warm = wanted;
  process.send?.({ micros: await repeat(workload, TIMED_MS) });
});
process.send?.("ready");

/** Mean microseconds for one operation. */
async function repeat({ before, run }: Workload, forMs: number): Promise<number> {
  const end = performance.now() + forMs;
  let times = 0;
  let micros = 0;
  do {
    await before?.();
    micros += await timeOnce(run);
    times++;
  } while (performance.now() < end);
  return micros / times;
}

// Holds one filesystem in memory and times what it is told to do with it.
import { timeOnce } from "./harness.js";
import { memoryPeers } from "./memory-peers.js";
import { memoryWorkloads, type Workload } from "./memory-workloads.js";

/** As long as a workload runs unwatched, so that what is timed is compiled, and at least once. */
const WARM_UP_MS = process.argv.includes("quick") ? 100 : 300;
/** As long as it runs for one figure, and at least once: a single run of a few microseconds says nothing. */
const TIMED_MS = 60;

const [name = "", count = ""] = process.argv.slice(2);
const open = memoryPeers[name];
if (open === undefined) throw new Error(`There is no filesystem named ${name}.`);
const workloads = memoryWorkloads(open, Number(count));
let warm: string | undefined;

process.on("message", async (wanted: string) => {
  const workload = workloads[wanted];
  if (workload === undefined) throw new Error(`There is no workload named ${wanted}.`);
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

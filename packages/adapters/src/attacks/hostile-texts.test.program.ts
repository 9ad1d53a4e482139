import { readFileSync, writeFileSync } from "node:fs";
import { hostileTexts } from "./hostile-texts.test.support.js";

/**
 * Runs one hostile text and prints its cost: the CPU time of the longest turn of the event loop,
 * and the memory growth of the process. CPU time does not depend on the load of the machine.
 */
const prepare = hostileTexts[process.argv[2] ?? ""];
if (prepare === undefined) throw new Error(`hostile text: unknown name '${process.argv[2]}'.`);
const work = await prepare();
globalThis.gc?.();
await nextTurn();

const memoryBefore = process.memoryUsage.rss();
forgetPeak();
let maxTurnMs = 0;
let isOver = false;
let lastMs = cpuMs();
const endOfTurn = () => {
  maxTurnMs = Math.max(maxTurnMs, cpuMs() - lastMs);
  lastMs = cpuMs();
  if (!isOver) setImmediate(endOfTurn);
};
setImmediate(endOfTurn);
await work();
isOver = true;
await nextTurn();
const grownMegabytes = (peakBytes() - memoryBefore) / 1024 / 1024;
console.log(JSON.stringify({ maxTurnMs, grownMegabytes }));

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/**
 * The CPU time of this thread, if Linux reports it. The compiler and the garbage collector have
 * their own threads.
 */
function cpuMs(): number {
  try {
    const [nanoseconds] = readFileSync(`/proc/self/task/${process.pid}/schedstat`, "utf8").split(
      " ",
    );
    return Number(nanoseconds) / 1_000_000;
  } catch {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1_000;
  }
}

/**
 * Makes Linux count the peak from here. `resourceUsage` would return the peak of the parent
 * process.
 */
function forgetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Without it, the peak includes the preparation or is unknown.
  }
}

function peakBytes(): number {
  try {
    const [, kilobytes] =
      /^VmHWM:\s*(\d+) kB$/m.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return Number(kilobytes) * 1024;
  } catch {
    return process.memoryUsage.rss();
  }
}

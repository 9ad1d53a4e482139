import { readFileSync, writeFileSync } from "node:fs";

type Work = () => Promise<unknown>;

/**
 * Runs the hostile text that the command line names and prints the cost: the CPU time of the longest turn of the event
 * loop, and the growth of the process's memory.
 */
export async function printCost(
  hostileTexts: Readonly<Record<string, () => Promise<Work>>>,
): Promise<void> {
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
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** On Linux, the CPU time of this thread only, because the compiler and the garbage collector use other threads. */
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

/** Resets Linux's peak memory counter. `resourceUsage` cannot be used, because it includes the parent's peak. */
function forgetPeak(): void {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Not Linux: the peak includes the preparation, or is unknown.
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

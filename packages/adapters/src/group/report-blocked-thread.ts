// Runs in the watchdog's thread: prints the stack of the main thread when that is blocked.
import { writeSync } from "node:fs";
import { type Debugger, Session } from "node:inspector";
import { parentPort, workerData } from "node:worker_threads";

/** What the watchdog passes to its thread. */
export interface BlockedThreadData {
  /** The main thread increments the first number while it is not blocked. */
  readonly beats: Int32Array;
  readonly blockedMs: number;
  readonly checkMs: number;
}

const { beats, blockedMs, checkMs } = workerData as BlockedThreadData;
const last = { beat: -1, atMs: Date.now(), isReported: false };

setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== last.beat) Object.assign(last, { beat, atMs: Date.now(), isReported: false });
  if (last.isReported || Date.now() - last.atMs < blockedMs) return;
  last.isReported = true;
  printStack();
}, checkMs);
parentPort?.postMessage("started");

function printStack(): void {
  const session = new Session();
  session.connectToMainThread();
  // A frame names its script only by a number.
  const scripts = new Map<string, string>();
  session.on("Debugger.scriptParsed", ({ params }) => scripts.set(params.scriptId, params.url));
  session.on("Debugger.paused", ({ params }) => {
    const seconds = Math.round((Date.now() - last.atMs) / 1000);
    const lines = [
      `worker: the process has been blocked for ${seconds} s.`,
      ...params.callFrames.map((frame) => describeFrame(frame, scripts)),
    ];
    writeSync(2, `${lines.join("\n")}\n`);
    session.post("Debugger.resume", () => session.disconnect());
  });
  session.post("Debugger.enable", () => session.post("Debugger.pause"));
}

function describeFrame(
  { functionName, location }: Debugger.CallFrame,
  scripts: ReadonlyMap<string, string>,
): string {
  const { scriptId, lineNumber } = location;
  const script = scripts.get(scriptId) || "unknown";
  return `    at ${functionName || "(anonymous)"} (${script}:${lineNumber + 1})`;
}

/**
 * The program of the thread that prints the stack of the main thread when that is blocked. It is a text, because a
 * thread cannot load TypeScript.
 */
export const BLOCKED_THREAD = `
const { Session } = require("node:inspector");
const { writeSync } = require("node:fs");
const { workerData: { beats, blockedMs } } = require("node:worker_threads");
const last = { beat: -1, atMs: Date.now(), isReported: false };
setInterval(() => {
  const beat = Atomics.load(beats, 0);
  if (beat !== last.beat) Object.assign(last, { beat, atMs: Date.now(), isReported: false });
  if (last.isReported || Date.now() - last.atMs < blockedMs) return;
  last.isReported = true;
  report();
}, blockedMs / 4);
function report() {
  const session = new Session();
  session.connectToMainThread();
  session.on("Debugger.paused", ({ params }) => {
    const frames = params.callFrames.map(({ functionName, url, location }) =>
      "    at " + (functionName || "(anonymous)") + " (" + url + ":" + (location.lineNumber + 1) + ")");
    const seconds = Math.round((Date.now() - last.atMs) / 1000);
    writeSync(2, "worker: the process has been blocked for " + seconds + " s.\\n" + frames.join("\\n") + "\\n");
    session.post("Debugger.resume", () => session.disconnect());
  });
  session.post("Debugger.enable", () => session.post("Debugger.pause"));
}
`;

import { placeIn, run, type Scenario } from "./crash-scenarios.test.support.js";
import { interceptCalls, writeHalf } from "./intercepted-calls.test.support.js";

/** Runs a scenario and kills itself at the given call: before it, after it, or in the middle of a write. */
const [directory = "", scenario = "", at = "0"] = process.argv.slice(2);
interceptCalls((number, name, args, proceed) => {
  if (number !== Number(at)) return proceed(...args);
  if (name === "writeSync") writeHalf(args, proceed);
  else if (number % 2 === 0) proceed(...args);
  process.kill(process.pid, "SIGKILL");
  // The signal may take a moment. Block until it arrives.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
// The parent passes one of the scenarios.
await run(placeIn(directory), scenario as Scenario);

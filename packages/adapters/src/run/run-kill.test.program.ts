import { killAtCall } from "./kill-at-call.test.support.js";
import {
  evaluateRound,
  KINDS,
  openRun,
  placeIn,
  roundsIn,
  stateOf,
} from "./run-agent.test.support.js";

/**
 * Continues the run in a directory until `rounds` calls are committed or it is killed:
 * `<directory> <rounds> <at>`.
 */
const [directory = "", rounds = "0", at = "0"] = process.argv.slice(2);
const calls = killAtCall(Number(at), '{"kind":"commit"');
const run = await openRun(placeIn(directory));
for (let round = roundsIn(stateOf(run)); round < Number(rounds); round++) {
  const status = await evaluateRound(run, KINDS[round % KINDS.length] ?? "write", round);
  // Reported as done, so from now on it must not be lost.
  process.stdout.write(`${round + 1} ${status}\n`);
}
await run.close();
process.stdout.write(`calls ${calls.count} ${calls.marked.join(" ")}\n`);

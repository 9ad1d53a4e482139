import { killAfter } from "./kill-after.test.support.js";
import { killAtCall } from "./kill-at-call.test.support.js";
import { type Backend, continueOnce, resumePlace } from "./resume-agent.test.support.js";

/**
 * Continues a run until it is over, waits, or is killed: `<directory> <backend> <url> <at>`. It is killed at a change of
 * the disk, or in a store after some milliseconds. Prints how far it came, in the same unit.
 */
const [directory = "", backend = "host", url = "", at = "0"] = process.argv.slice(2);
const startedAtMs = performance.now();
if (backend === "store") killAfter(Number(at));
const calls = backend === "store" ? undefined : killAtCall(Number(at), '{"kind":"commit"');
const how = await continueOnce(resumePlace(directory), backend as Backend, url);
process.stdout.write(`${how} ${calls?.count ?? Math.ceil(performance.now() - startedAtMs)}\n`);
process.exit(0);

import { killAtCall } from "./kill-at-call.test.support.js";
import { type Backend, continueOnce, resumePlace } from "./resume-agent.test.support.js";

/** Continues the run in a directory until it is over, waits, or is killed: `<directory> <backend> <at>`. */
const [directory = "", backend = "host", at = "0"] = process.argv.slice(2);
const calls = killAtCall(Number(at), '{"kind":"commit"');
const how = await continueOnce(resumePlace(directory), backend as Backend);
process.stdout.write(`${how} ${calls.count}\n`);

import path from "node:path";
import { mapConcurrently } from "../map-concurrently.js";
import { type Check, outcomeOf, type Verdict } from "../outcome.js";
import { listProjects, type Project, root } from "../repository.js";
import { runCommand } from "../run-command.js";

const TIMEOUT_MS = 120_000;

export const examples: Check = {
  name: "examples",
  promise: "every example starts as its README says, and its own assertions pass",
  usualSeconds: 8,

  async run() {
    return outcomeOf(await mapConcurrently(listProjects("examples"), runExample));
  },
};

async function runExample({ folder, manifest }: Project): Promise<Verdict> {
  if (manifest.scripts?.["start"] === undefined)
    return { problems: [`${folder}/package.json has no "start" script.`] };
  const { ok, output } = await runCommand("pnpm", ["run", "start"], {
    cwd: path.join(root, folder),
    timeoutMs: TIMEOUT_MS,
  });
  return { problems: ok ? [] : [`${folder} failed:\n${output.trim()}`] };
}

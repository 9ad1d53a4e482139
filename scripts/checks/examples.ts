import path from "node:path";
import { buildPackages } from "../build-packages.js";
import { mapConcurrently } from "../map-concurrently.js";
import { type Check, outcomeOf, type Verdict } from "../outcome.js";
import { listProjects, type Project, root } from "../repository.js";
import { runCommand } from "../run-command.js";

const TIMEOUT_MS = 120_000;

export const examples: Check = {
  name: "examples",
  promise: "every example starts as its README says, and its own assertions pass",
  usualSeconds: 50,

  async run() {
    await buildPackages();
    return outcomeOf(await mapConcurrently(listProjects("examples"), runExample));
  },
};

async function runExample({ folder, manifest }: Project): Promise<Verdict> {
  const start = manifest.scripts?.["start"];
  if (start === undefined) return { problems: [`${folder}/package.json has no "start" script.`] };
  // Without this condition it uses the build of the packages, which starts faster than their sources.
  const command = start.replaceAll("--conditions=@wink/source ", "");
  const { ok, output } = await runCommand("sh", ["-c", command], {
    cwd: path.join(root, folder),
    timeoutMs: TIMEOUT_MS,
  });
  return { problems: ok ? [] : [`${folder} failed:\n${output.trim()}`] };
}

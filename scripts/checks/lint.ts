import { type Check, outcomeOf } from "../outcome.js";
import { cacheFolder } from "../repository.js";
import { runCommand } from "../run-command.js";

export const lint: Check = {
  name: "lint",
  promise: "files are formatted and named in kebab-case, imports make no cycle, Biome's rules hold",
  usualSeconds: 10,

  async run() {
    const args = ["check", "--error-on-warnings", "--max-diagnostics=50", "."];
    // Biome creates an empty folder for its logs in the user's cache directory.
    const env = { XDG_CACHE_HOME: cacheFolder };
    const { ok, output } = await runCommand("biome", args, { env });
    const hint = "`npx -y pnpm@12.4.2 format` repairs what can be repaired.";
    return outcomeOf([{ problems: ok ? [] : [`${output.trim()}\n\n${hint}`] }]);
  },
};

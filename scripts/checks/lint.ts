import type { Check } from "../outcome.js";
import { outcomeOf } from "../outcome.js";
import { runCommand } from "../run-command.js";

export const lint: Check = {
  name: "lint",
  promise: "files are formatted and named in kebab-case, imports make no cycle, Biome's rules hold",

  async run() {
    const { ok, output } = await runCommand("biome", [
      "check",
      "--error-on-warnings",
      "--max-diagnostics=50",
      ".",
    ]);
    const hint = "`npx -y pnpm@12.4.2 format` repairs what can be repaired.";
    return outcomeOf([{ problems: ok ? [] : [`${output.trim()}\n\n${hint}`] }]);
  },
};

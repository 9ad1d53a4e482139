import { relative, resolve } from "node:path";
import { Command } from "commander";
import { commandName } from "../terminal/command-name.js";
import type { Io } from "../terminal/io.js";
import { answer, colorsFor } from "../terminal/print.js";

export function initCommand(io: Io): Command {
  return new Command("init")
    .description("create an agent that runs")
    .argument("[dir]", "where; it may exist if no file is overwritten", ".")
    .addHelpText(
      "after",
      `
Writes agent.ts, package.json and README.md. The agent has a script, so it runs
immediately and offline. With --model, the same agent runs on a real model.
There is nothing to install: wink run provides the packages.`,
    )
    .action(async (directory: string, _, command: Command) => {
      const { initAgent } = await import("../init/init-agent.js");
      const wink = commandName(io);
      const there = commandName(io, resolve(io.cwd, directory));
      const report = await initAgent(directory, { cwd: io.cwd, wink: there });
      const colors = colorsFor(io);
      const place = relative(io.cwd, report.directory);
      const prefix = place === "" ? "" : `${place}/`;
      answer(io, command, report, ({ files }) =>
        [
          ...files.map((file) => `${colors.green("A")} ${prefix}${file}`),
          "",
          "Run it offline, on a copy of its directory:",
          `  ${colors.cyan(`${wink} run ${prefix}agent.ts${place === "" ? "" : ` --workspace ${place}`}`)}`,
        ].join("\n"),
      );
    });
}

import { basename, relative, resolve } from "node:path";
import { Command, Option } from "commander";
import { MODEL_NAMES } from "../model/model-names.js";
import { BACKENDS } from "../run/run-workspace.js";
import { CLONE } from "../terminal/clone.js";
import { commandName, pnpmName } from "../terminal/command-name.js";
import type { Io } from "../terminal/io.js";
import { answer, colorsFor } from "../terminal/print.js";

interface InitOptions {
  readonly model: string;
  readonly backend: string;
}

export function initCommand(io: Io): Command {
  return new Command("init")
    .description("create an agent that runs")
    .argument("[dir]", "where; it may exist if no file is overwritten", ".")
    .option("-m, --model <model>", `for its start script: ${MODEL_NAMES}`, "scripted")
    .addOption(
      new Option("--backend <kind>", "for its start script: where wink run has the copy")
        .choices(BACKENDS)
        .default("host"),
    )
    .addHelpText(
      "after",
      `
Writes agent.ts, package.json, tsconfig.json and README.md. The agent has a
script, so it runs immediately and offline. With --model, the same agent runs on
a real model. There is nothing to install: wink run provides the packages.`,
    )
    .action(async (given: string, { model, backend }: InitOptions, command: Command) => {
      const { initAgent } = await import("../init/init-agent.js");
      const directory = resolve(io.cwd, given);
      const report = await initAgent({
        directory,
        name: basename(directory),
        runOptions: `${model === "scripted" ? "" : ` --model ${model}`}${backend === "host" ? "" : ` --backend ${backend}`}`,
        wink: commandName(io, directory),
      });
      const { cyan, green } = colorsFor(io);
      const place = relative(io.cwd, directory);
      const prefix = place === "" ? "" : `${place}/`;
      const workspace = place === "" ? "" : ` --workspace ${place}`;
      const installer = CLONE === undefined ? "npm" : pnpmName(io.env);
      const install = place === "" ? `${installer} install` : `cd ${place} && ${installer} install`;
      answer(io, command, report, ({ files, needsInstall }) =>
        [
          ...files.map((file) => `${green("A")} ${prefix}${file}`),
          "",
          "Run it offline, on a copy of its directory:",
          `  ${cyan(`${commandName(io)} run ${prefix}agent.ts${workspace}`)}`,
          ...(needsInstall ? ["Install the packages to have types in your editor:"] : []),
          ...(needsInstall ? [`  ${cyan(install)}`] : []),
        ].join("\n"),
      );
    });
}

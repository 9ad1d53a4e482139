import { basename, relative, resolve } from "node:path";
import { Command, Option } from "commander";
import type { InitReport } from "../init/init-agent.js";
import { MODEL_NAMES } from "../model/model-names.js";
import { BACKENDS } from "../run/run-workspace.js";
import { CLONE } from "../terminal/clone.js";
import { commandName, pnpmName } from "../terminal/command-name.js";
import type { Io } from "../terminal/io.js";
import { answer, colorsFor, wantsJson } from "../terminal/print.js";

interface InitOptions {
  readonly model?: string;
  readonly backend?: string;
  readonly yes?: true;
}

export function initCommand(io: Io): Command {
  return new Command("init")
    .description("create an agent that runs")
    .argument("[dir]", "where; it may exist if no file is overwritten")
    .option("-m, --model <model>", `for its start script: ${MODEL_NAMES}`)
    .addOption(
      new Option("--backend <kind>", "for its start script: where agents work").choices(BACKENDS),
    )
    .option("-y, --yes", "do not ask; use the current directory and the defaults")
    .addHelpText(
      "after",
      `
Writes agent.ts, package.json, tsconfig.json and README.md. The agent has a
script, so it runs immediately and offline. With --model, the same agent runs on
a real model. There is nothing to install: wink run provides the packages.`,
    )
    .action(async (dir: string | undefined, options: InitOptions, command: Command) => {
      const { initAgent } = await import("../init/init-agent.js");
      const given = { directory: dir, model: options.model, backend: options.backend };
      const mayAsk = io.isTerminal && !options.yes && !wantsJson(command);
      const chosen = mayAsk
        ? await (await import("../init/ask-for-agent.js")).askForAgent(io, given)
        : given;
      const { directory: place = ".", model = "scripted", backend = "host" } = chosen;
      const directory = resolve(io.cwd, place);
      const report = await initAgent({
        directory,
        name: basename(directory),
        runOptions: `${model === "scripted" ? "" : ` --model ${model}`}${backend === "host" ? "" : ` --backend ${backend}`}`,
        wink: commandName(io, directory),
      });
      answer(io, command, report, () => render(io, report));
    });
}

function render(io: Io, { directory, files, needsInstall }: InitReport): string {
  const { cyan, green } = colorsFor(io);
  const place = relative(io.cwd, directory);
  const [prefix, workspace] = place === "" ? ["", ""] : [`${place}/`, ` --workspace ${place}`];
  const installer = CLONE === undefined ? "npm" : pnpmName(io.env);
  const install = `${place === "" ? "" : `cd ${place} && `}${installer} install`;
  return [
    ...files.map((file) => `${green("A")} ${prefix}${file}`),
    "",
    "Run it offline, on a copy of its directory:",
    `  ${cyan(`${commandName(io)} run ${prefix}agent.ts${workspace}`)}`,
    ...(needsInstall
      ? ["Install the packages to have types in your editor:", `  ${cyan(install)}`]
      : []),
  ].join("\n");
}

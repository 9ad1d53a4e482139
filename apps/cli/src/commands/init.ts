import { Command } from "commander";
import { CliError } from "../cli-error.js";
import type { Io } from "../io.js";

export function initCommand(_io: Io): Command {
  return new Command("init").description("make an agent that runs").action(() => {
    throw new CliError("This command is being built.");
  });
}

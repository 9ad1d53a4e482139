import { Command } from "commander";
import { CliError } from "../cli-error.js";
import type { Io } from "../io.js";

export function runCommand(_io: Io): Command {
  return new Command("run").description("run an agent on a directory").action(() => {
    throw new CliError("This command is being built.");
  });
}

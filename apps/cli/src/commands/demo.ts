import { Command } from "commander";
import { CliError } from "../cli-error.js";
import type { Io } from "../io.js";

export function demoCommand(_io: Io): Command {
  return new Command("demo")
    .description("see an agent fix a bug, offline and in seconds")
    .action(() => {
      throw new CliError("This command is being built.");
    });
}

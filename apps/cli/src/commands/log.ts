import { Command } from "commander";
import { CliError } from "../cli-error.js";
import type { Io } from "../io.js";

export function logCommand(_io: Io): Command {
  return new Command("log").description("show a run as a timeline").action(() => {
    throw new CliError("This command is being built.");
  });
}

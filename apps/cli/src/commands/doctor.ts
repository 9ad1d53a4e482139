import { Command } from "commander";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { answer } from "../terminal/print.js";

export function doctorCommand(io: Io): Command {
  return new Command("doctor")
    .description("check what works on this machine, and how to fix the rest")
    .addHelpText(
      "after",
      `
Checks Node, git, limits, the state directory and its disk, containment, keys
(only whether they are set) and Podman. Exits with 4 if something that wink
requires is missing.

Examples:
  wink doctor
  wink doctor --json    for programs`,
    )
    .action(async (_: unknown, command: Command) => {
      const { diagnose } = await import("../doctor/diagnose.js");
      const { renderDiagnosis } = await import("../doctor/render-diagnosis.js");
      const diagnosis = await diagnose(io);
      answer(io, command, diagnosis, (value) => renderDiagnosis(io, value));
      if (!diagnosis.usable) io.exitCode = EXIT_CODES.unavailable;
    });
}

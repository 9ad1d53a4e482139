import { Command } from "commander";
import { MODEL_NAMES } from "../model/model-names.js";
import { interruptible } from "../run/interruptible.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { colorsFor, sayJson, stderrColorsFor, wantsJson } from "../terminal/print.js";

/** Long enough to read a line, short enough that the whole demo takes a few seconds. */
const PAUSE_MS = 90;

interface DemoOptions {
  readonly model: string;
  readonly container: boolean;
  readonly fast?: true;
}

export function demoCommand(io: Io): Command {
  return new Command("demo")
    .description("see an agent repair a bug, offline and in seconds")
    .option("--model <model>", MODEL_NAMES, "scripted")
    .option("--no-container", "run the tests without a container, even if Podman is installed")
    .option("--fast", "do not pause between lines on a terminal")
    .addHelpText(
      "after",
      `
Creates a small project with failing tests in a temporary directory and copies
it into a workspace. The agent plans, searches, breaks something and is rolled
back, repairs the bug and makes a snapshot. Its patch is then applied to a copy,
where the tests pass. Your own files are not read or written.`,
    )
    .action(async (options: DemoOptions, command: Command) => {
      const json = wantsJson(command);
      const { runDemo } = await import("../demo/run-demo.js");
      const { succeeded } = await import("../demo/demo-report.js");
      const report = await interruptible(io, (signal) =>
        runDemo(io, {
          model: options.model,
          container: options.container,
          output: json ? io.stderr : io.stdout,
          colors: json ? stderrColorsFor(io) : colorsFor(io),
          pauseMs: io.isTerminal && !json && !options.fast ? PAUSE_MS : 0,
          signal,
        }),
      );
      if (json) sayJson(io, report);
      if (!succeeded(report)) io.exitCode = EXIT_CODES.failed;
    });
}

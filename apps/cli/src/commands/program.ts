import { Command, CommanderError } from "commander";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODE_HELP, EXIT_CODES, type ExitCode } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { MANIFEST } from "../terminal/manifest.js";
import { applyCommand } from "./apply.js";
import { changesCommand } from "./changes.js";
import { chatCommand } from "./chat.js";
import { completeCommand, completionsCommand } from "./completions.js";
import { demoCommand } from "./demo.js";
import { diffCommand } from "./diff.js";
import { discardCommand } from "./discard.js";
import { doctorCommand } from "./doctor.js";
import { initCommand } from "./init.js";
import { inspectCommand } from "./inspect.js";
import { logCommand } from "./log.js";
import { mcpCommand } from "./mcp.js";
import { queueCommand } from "./queue.js";
import { reportError } from "./report-error.js";
import { runCommand } from "./run.js";
import { runsCommand } from "./runs.js";
import { snapshotsCommand } from "./snapshots.js";
import { undoCommand } from "./undo.js";
import { workerCommand } from "./worker.js";

/**
 * Every command, in the order of the help. Each file only declares its command and imports the rest
 * when it runs, so that `wink --help` does not load a model client.
 */
const COMMANDS: readonly ((io: Io) => Command)[] = [
  demoCommand,
  initCommand,
  runCommand,
  chatCommand,
  changesCommand,
  diffCommand,
  applyCommand,
  undoCommand,
  discardCommand,
  snapshotsCommand,
  mcpCommand,
  workerCommand,
  queueCommand,
  logCommand,
  runsCommand,
  inspectCommand,
  doctorCommand,
  completionsCommand,
];

/** The whole command line, ready to parse. */
export function createProgram(io: Io): Command {
  const program = new Command("wink")
    .description("Run agents on a copy of your files, review their changes, and apply them.")
    .version(MANIFEST.version)
    .option("--json", "print one JSON document on stdout")
    .option("--no-color", "print without colour; NO_COLOR=1 does the same")
    .option("--debug", "show stack traces of errors")
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({
      writeOut: (text) => void io.stdout.write(text),
      // `reportError` prints the error once, in our format.
      writeErr: () => {},
      getOutHelpWidth: () => Math.min(io.columns, 100),
      getOutHasColors: () => io.color,
    })
    .helpCommand("help [command]", "show the help of a command")
    .addHelpText("after", `\n${EXIT_CODE_HELP}\n\nStart with: wink demo`)
    .exitOverride();
  for (const create of COMMANDS) program.addCommand(create(io));
  program.addCommand(completeCommand(io), { hidden: true });
  inheritSettings(program);
  return program;
}

/** Parses `argv` and runs the command. Resolves to the exit code and never rejects. */
export async function runProgram(io: Io, argv: readonly string[]): Promise<ExitCode> {
  const program = createProgram(io);
  try {
    if (argv.length === 0) program.outputHelp();
    else await program.parseAsync(argv, { from: "user" });
    return io.exitCode;
  } catch (error) {
    // Commander also ends help and version with an error.
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT_CODES.ok;
    return reportError(io, isNoCommand(error) ? noCommand(program, argv) : error, {
      json: argv.includes("--json"),
      debug: argv.includes("--debug"),
    });
  } finally {
    io.status.clear();
  }
}

function noCommand({ commands }: Command, argv: readonly string[]): CliError {
  const group = commands.find((each) => each.commands.length > 0 && argv.includes(each.name()));
  const name = group === undefined ? "wink" : `wink ${group.name()}`;
  return new CliError(`No command was given after ${name}.`, {
    exitCode: EXIT_CODES.usage,
    hint: `See \`${name} --help\`.`,
  });
}

/** Only options were given. Commander would print the help to stderr. */
function isNoCommand(error: unknown): boolean {
  return error instanceof CommanderError && error.code === "commander.help";
}

/**
 * `addCommand` does not pass on the output, help and exit settings. `command` does, but then a
 * command could not be defined in its own file.
 */
function inheritSettings(parent: Command): void {
  for (const child of parent.commands) {
    child.copyInheritedSettings(parent);
    inheritSettings(child);
  }
}

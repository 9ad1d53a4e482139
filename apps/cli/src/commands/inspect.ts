import { Command, InvalidArgumentError } from "commander";
import { interruptible } from "../run/interruptible.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { type WorkspaceOption, workspaceOption } from "../workspace/workspace-option.js";

interface InspectOptions extends WorkspaceOption {
  readonly port?: number;
  readonly export?: string;
  readonly without?: readonly ("prompts" | "files")[];
  readonly compare?: string;
  readonly check?: string;
  readonly open: boolean;
}

export function inspectCommand(io: Io): Command {
  return new Command("inspect")
    .description("look at a run in the browser, at any of its events")
    .argument("[run...]", "a run, a log or a directory with runs, then at most one question")
    .option("--port <number>", "the port on this machine (default: a free one)", readPort)
    .option("--no-open", "do not open the browser; only print the address")
    .option("--export <file>", "write one HTML file instead, which opens without a server")
    .option("--without <parts>", "with --export: leave out prompts, files or both", readParts)
    .option("--compare <run>", "show a second run next to it, call by call")
    .option("--check <agent>", "replay the run with an agent; show the first other request")
    .addOption(workspaceOption())
    .addHelpText(
      "after",
      `
The page shows files, state, prompt and conversation at each event, what a
rollback undid, and which call wrote a line. Without a run it lists the runs on
--workspace. The server listens on this machine only, and its address has a
token. It changes nothing, and follows a run that is active. Ctrl-C ends it.

For scripts, these questions print one JSON document: at N, diff A..B and
blame PATH@N. N, A and B are numbers of events, as in wink log.

--export writes a file of mode 600 and lists its contents. Without prompts, it
has no prompts and messages. Without files, it has no content of files, and
tools have no input and no answers.

Examples:
  wink inspect
  wink inspect runs/one --compare runs/two
  wink inspect runs/one --export run.html --without files
  wink inspect runs/one at 41 | jq .state
  wink inspect diff 12..41
  wink inspect blame src/a.ts@41`,
    )
    .action(async (words: readonly string[], options: InspectOptions, command: Command) => {
      const { inspect } = await import("../inspect/inspect.js");
      const { directoryOf } = await import("../workspace/with-workspace.js");
      const directory = directoryOf(io, options);
      const given = { ...options, words, directory };
      await interruptible(io, (signal) => inspect(io, command, { ...given, signal }));
      // Ctrl-C is the normal way to stop a server.
      if (io.exitCode === EXIT_CODES.interrupted) io.exitCode = EXIT_CODES.ok;
    });
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}

function readParts(text: string): readonly ("prompts" | "files")[] {
  return text.split(",").map((part) => {
    if (part === "prompts" || part === "files") return part;
    throw new InvalidArgumentError("It takes prompts, files, or prompts,files.");
  });
}

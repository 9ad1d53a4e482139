import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import { EXIT_CODES } from "../exit-codes.js";
import type { Io } from "../io.js";
import { wantsJson } from "../print.js";
import { interruptible } from "../run/interruptible.js";

interface McpOptions {
  readonly root: string;
  readonly readOnly?: boolean | undefined;
  readonly inPlace?: boolean | undefined;
  readonly http?: number | undefined;
}

export function mcpCommand(io: Io): Command {
  return new Command("mcp")
    .description(
      "lend a directory to any MCP client: file tools, snapshots, every call all or nothing",
    )
    .option("--root <dir>", "the directory", ".")
    .option("--read-only", "only tools that read")
    .addOption(
      new Option("--in-place", "write every successful call to the directory at once").conflicts(
        "readOnly",
      ),
    )
    .option("--http <port>", "serve over HTTP on this machine; 0 is any free port", readPort)
    .addHelpText(
      "after",
      `
The client works on a copy. What it changes stays in the workspace, also when
this ends or is killed, until you look (wink diff) and decide (wink apply).
With --in-place it goes to the directory call by call, and wink undo takes the
last one back. .git, ignored files and secrets are left out of the copy.

For a client with a configuration file:
  { "mcpServers": { "wink": { "command": "npx",
      "args": ["-y", "@wink/cli", "mcp", "--root", "/path/to/project"] } } }`,
    )
    .action(async ({ root, readOnly, inPlace, http }: McpOptions, command: Command) => {
      const { serveWorkspace } = await import("../mcp/serve-workspace.js");
      const { debug = false } = command.optsWithGlobals<{ debug?: boolean }>();
      const mode = readOnly ? "read-only" : inPlace ? "in-place" : "workspace";
      const directory = resolve(io.cwd, root);
      const json = wantsJson(command);
      await interruptible(io, (signal) =>
        serveWorkspace(io, { directory, mode, port: http, signal, debug, json }),
      );
      // Ctrl-C is how a server is ended.
      io.exitCode = EXIT_CODES.ok;
    });
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}

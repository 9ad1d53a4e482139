import { resolve } from "node:path";
import { Command, InvalidArgumentError, Option } from "commander";
import type { McpAddress } from "../mcp/serve-over-http.js";
import { interruptible } from "../run/interruptible.js";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { wantsDebug, wantsJson } from "../terminal/print.js";

interface McpOptions {
  readonly root: string;
  readonly readOnly?: boolean | undefined;
  readonly inPlace?: boolean | undefined;
  readonly http?: number | undefined;
  readonly ask?: true;
  readonly socket?: string | undefined;
  readonly tokenFile?: string | undefined;
}

export function mcpCommand(io: Io): Command {
  return new Command("mcp")
    .description("serve a directory to MCP clients: file tools, snapshots, transactional calls")
    .option("--root <dir>", "the directory", ".")
    .option("--read-only", "only tools that read")
    .addOption(
      new Option(
        "--in-place",
        "write every successful call to the directory immediately",
      ).conflicts("readOnly"),
    )
    .addOption(
      new Option("--ask", "ask the client's user before each change, by elicitation").conflicts(
        "readOnly",
      ),
    )
    .option("--http <port>", "serve over HTTP on this machine; 0 is any free port", readPort)
    .addOption(
      new Option("--socket <path>", "serve over HTTP on a socket that only you can open").conflicts(
        "http",
      ),
    )
    .option("--token-file <path>", "with --http: the file with the token; created if missing")
    .addHelpText(
      "after",
      `
The client works on a copy. Its changes stay in the workspace, even if this
process ends, until you review them (wink diff) and apply them (wink apply).
With --in-place, each call is written to the directory, and wink undo undoes the
last one. .git, ignored files and secrets are not copied.

With --http, clients must send a token, because every user of the machine can
reach the port. A new token is printed once, with a configuration for a client.
To choose it, set WINK_MCP_TOKEN or name a file of mode 600 with --token-file.

For a client with a configuration file:
  { "mcpServers": { "wink": { "command": "npx",
      "args": ["-y", "@wink/cli", "mcp", "--root", "/path/to/project"] } } }`,
    )
    .action(async (options: McpOptions, command: Command) => {
      const { root, readOnly, inPlace, ask } = options;
      const address = addressOf(io, options);
      const { serveWorkspace } = await import("../mcp/serve-workspace.js");
      const debug = wantsDebug(command);
      const mode = readOnly ? "read-only" : inPlace ? "in-place" : "workspace";
      const directory = resolve(io.cwd, root);
      const json = wantsJson(command);
      await interruptible(io, (signal) =>
        serveWorkspace(io, { directory, mode, asks: ask === true, address, signal, debug, json }),
      );
      // Ctrl-C is the normal way to stop a server.
      io.exitCode = EXIT_CODES.ok;
    });
}

function addressOf(io: Io, { http, socket, tokenFile }: McpOptions): McpAddress | undefined {
  if (tokenFile !== undefined && http === undefined)
    throw new CliError("--token-file: only clients over --http send a token.", {
      exitCode: EXIT_CODES.usage,
      hint: "Add --http <port>, or leave it out.",
    });
  if (socket !== undefined) return { socketPath: resolve(io.cwd, socket) };
  if (http === undefined) return undefined;
  return {
    port: http,
    tokenFile: tokenFile === undefined ? undefined : resolve(io.cwd, tokenFile),
  };
}

function readPort(text: string): number {
  const port = Number(text);
  if (/^\d{1,5}$/.test(text) && port <= 65_535) return port;
  throw new InvalidArgumentError("A port is a number from 0 to 65535.");
}

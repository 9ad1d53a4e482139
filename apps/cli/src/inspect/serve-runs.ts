import { spawn } from "node:child_process";
import type { Command } from "commander";
import { findPage, InspectorServer, type RunSource } from "#inspector/node";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark, say, sayJson, wantsJson } from "../terminal/print.js";

export interface ServeRunsOptions {
  readonly port?: number | undefined;
  readonly open: boolean;
  readonly signal: AbortSignal;
}

/** Serves the page until `signal` aborts. */
export async function serveRuns(
  io: Io,
  command: Command,
  source: RunSource,
  { port, open, signal }: ServeRunsOptions,
): Promise<void> {
  const page = await findPage();
  await using server = await listen({ source, page, port });
  const { url } = server;
  if (wantsJson(command)) sayJson(io, { url });
  else {
    say(io, url);
    remark(io, "Only this address, with its token, can read the runs. Ctrl-C ends the server.");
  }
  if (open && io.isTerminal && !wantsJson(command)) openBrowser(url);
  await aborted(signal);
}

async function listen(
  options: Parameters<typeof InspectorServer.listen>[0],
): Promise<InspectorServer> {
  try {
    return await InspectorServer.listen(options);
  } catch (cause) {
    throw new CliError(`Port ${options.port} is not available.`, {
      exitCode: EXIT_CODES.refused,
      hint: "Choose another one, or leave out --port.",
      cause,
    });
  }
}

/** Failing to open a browser is not an error, because the address is printed. */
function openBrowser(url: string): void {
  const programs: Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>> = {
    darwin: ["open", url],
    win32: ["rundll32", "url.dll,FileProtocolHandler", url],
  };
  const [program, ...args] = programs[process.platform] ?? ["xdg-open", url];
  const child = spawn(program, args, { stdio: "ignore", detached: true });
  child.on("error", () => {});
  child.unref();
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

import { CLONE } from "./clone.js";
import { EXIT_CODES } from "./exit-codes.js";
import type { Io } from "./io.js";
import { KeyListener } from "./key-listener.js";
import { StatusLine } from "./status-line.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The real process as an {@link Io}. */
export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  const terminal = {
    stderr,
    stderrColor: takesColor(stderr.isTTY),
    isTerminal: stdin.isTTY && stderr.isTTY,
    columns: stdout.isTTY && stdout.columns > 0 ? stdout.columns : 80,
  };
  return {
    ...terminal,
    stdin,
    stdout,
    env,
    cwd: workingDirectory(),
    color: takesColor(stdout.isTTY),
    isStdoutTerminal: stdout.isTTY,
    status: new StatusLine(terminal),
    keys: new KeyListener(stdin),
    exitCode: EXIT_CODES.ok,
    onInterrupt,
  };
}

/**
 * pnpm runs a clone's script at the root of the clone, but the user means the directory where they
 * typed it.
 */
function workingDirectory(): string {
  const typedAt = CLONE === undefined ? undefined : process.env["INIT_CWD"];
  return typedAt ?? process.cwd();
}

/**
 * Follows no-color.org and Node: first the command line, then the environment, then whether stdout
 * is a terminal.
 */
function takesColor(isTerminal: boolean): boolean {
  const { NO_COLOR, FORCE_COLOR, TERM } = process.env;
  if (process.argv.includes("--no-color")) return false;
  if (NO_COLOR !== undefined && NO_COLOR !== "") return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== "") return FORCE_COLOR !== "0";
  return isTerminal && TERM !== "dumb";
}

function onInterrupt(listener: () => void): () => void {
  let count = 0;
  const onSignal = () => {
    count += 1;
    if (count === 1) listener();
    else process.exit(EXIT_CODES.interrupted);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
}

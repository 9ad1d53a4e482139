import type { Command } from "commander";
import picocolors from "picocolors";
import type { Io } from "./io.js";
import { printable, safeJson } from "./terminal-text.js";

/** Writes a line to stdout. Control characters in names are made harmless. */
export function say(io: Io, line = ""): void {
  io.status.clear();
  io.stdout.write(`${printable(line, io.color)}\n`);
}

/** Writes the one JSON document of `--json` to stdout. */
export function sayJson(io: Io, value: unknown): void {
  io.status.clear();
  io.stdout.write(`${safeJson(value)}\n`);
}

/** Writes a line to stderr: progress and remarks, which `--json` and pipes do not see. */
export function remark(io: Io, line = ""): void {
  io.status.clear();
  io.stderr.write(`${printable(line, io.stderrColor)}\n`);
}

export type Colors = ReturnType<typeof picocolors.createColors>;

/** Colours for stdout, or plain text if it does not support colour. */
export function colorsFor(io: Io): Colors {
  return picocolors.createColors(io.color);
}

/** Colours for stderr. */
export function stderrColorsFor(io: Io): Colors {
  return picocolors.createColors(io.stderrColor);
}

/** Whether `--json` was given, before or after the command's name. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true;
}

/** Whether `--debug` was given. */
export function wantsDebug(command: Command): boolean {
  return command.optsWithGlobals<{ debug?: boolean }>().debug === true;
}

/**
 * Prints the result: `value` as one JSON document with `--json`, otherwise the text from `render`.
 */
export function answer<T>(io: Io, command: Command, value: T, render: (value: T) => string): void {
  if (wantsJson(command)) sayJson(io, value);
  else {
    const text = render(value);
    if (text !== "") say(io, text);
  }
}

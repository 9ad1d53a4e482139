import type { Command } from "commander";
import picocolors from "picocolors";
import type { Io } from "./io.js";

/** Writes a line to stdout. */
export function say(io: Io, line = ""): void {
  io.stdout.write(`${line}\n`);
}

/** Writes a line to stderr: progress and remarks, which `--json` and pipes leave alone. */
export function remark(io: Io, line = ""): void {
  io.stderr.write(`${line}\n`);
}

export type Colors = ReturnType<typeof picocolors.createColors>;

/** Colours for stdout that are no colours when it takes none. */
export function colorsFor(io: Io): Colors {
  return picocolors.createColors(io.color);
}

/** The same for stderr. */
export function stderrColorsFor(io: Io): Colors {
  return picocolors.createColors(io.stderrColor);
}

/** Whether `--json` was given, before or after the command's name. */
export function wantsJson(command: Command): boolean {
  return command.optsWithGlobals<{ json?: boolean }>().json === true;
}

/** Ends a command: `value` as one JSON document with `--json`, otherwise the text that `render` makes of it. */
export function answer<T>(io: Io, command: Command, value: T, render: (value: T) => string): void {
  if (wantsJson(command)) say(io, JSON.stringify(value, null, 2));
  else {
    const text = render(value);
    if (text !== "") say(io, text);
  }
}

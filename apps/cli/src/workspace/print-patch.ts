import type { Io } from "../terminal/io.js";
import { colorsFor } from "../terminal/print.js";
import { colorPatch } from "../view/color-patch.js";

/** Prints a patch: coloured and without control characters on a terminal, unchanged to a pipe. */
export function printPatch(io: Io, patch: string): void {
  io.status.clear();
  const isForPerson = io.isStdoutTerminal || io.color;
  io.stdout.write(isForPerson ? colorPatch(patch, colorsFor(io)) : patch);
}

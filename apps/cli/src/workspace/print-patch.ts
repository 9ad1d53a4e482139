import type { Io } from "../terminal/io.js";
import { colorsFor } from "../terminal/print.js";
import { colorPatch } from "../view/color-patch.js";

/** Coloured and made harmless for a person; exactly as it is for a pipe. */
export function printPatch(io: Io, patch: string): void {
  const isForPerson = io.isStdoutTerminal || io.color;
  io.stdout.write(isForPerson ? colorPatch(patch, colorsFor(io)) : patch);
}

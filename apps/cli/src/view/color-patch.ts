import type { Colors } from "../terminal/print.js";
import { safeText } from "../terminal/terminal-text.js";

/** Colours a unified patch for a terminal. Give git the plain text, not this. */
export function colorPatch(patch: string, colors: Colors): string {
  return safeText(patch)
    .split("\n")
    .map((line) => colorLine(line, colors))
    .join("\n");
}

function colorLine(line: string, colors: Colors): string {
  if (/^(diff |index |--- |\+\+\+ |new file|deleted file|rename |similarity )/.test(line))
    return colors.bold(line);
  if (line.startsWith("@@")) return colors.cyan(line);
  if (line.startsWith("+")) return colors.green(line);
  if (line.startsWith("-")) return colors.red(line);
  return line;
}

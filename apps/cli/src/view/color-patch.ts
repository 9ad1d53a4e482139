import type { Colors } from "../terminal/print.js";
import { safeText } from "../terminal/terminal-text.js";

/** Colours a unified patch for a terminal, with short hashes. Give git the plain text, not this. */
export function colorPatch(patch: string, colors: Colors): string {
  return safeText(patch)
    .replace(/^(index [0-9a-f]{8})[0-9a-f]*(\.\.[0-9a-f]{8})[0-9a-f]*/gm, "$1$2")
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

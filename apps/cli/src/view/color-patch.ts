import type { Colors } from "../terminal/print.js";
import { safeText } from "../terminal/terminal-text.js";

/** A unified patch for a person at a terminal. Only for looking: the text that git takes is the plain one. */
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

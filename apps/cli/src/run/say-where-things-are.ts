import { showCommands } from "../terminal/command-name.js";
import type { Io } from "../terminal/io.js";
import { remark, stderrColorsFor } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { NEXT_COMMANDS } from "../view/change-lines.js";
import type { RunWorkspace } from "./run-workspace.js";

export interface WhereThingsAre {
  /** Whether the changes are already applied to the directory. */
  readonly isApplied: boolean;
  readonly runDirectory: string;
}

/**
 * Prints where changes and log are after an error or Ctrl-C. The running call has been rolled back
 * by now.
 */
export async function sayWhereThingsAre(
  io: Io,
  workspace: RunWorkspace,
  { isApplied, runDirectory }: WhereThingsAre,
): Promise<void> {
  const { directory } = workspace;
  remark(io);
  remark(
    io,
    isApplied ? `The changes are in ${directory}.` : `Nothing was written to ${directory}.`,
  );
  // Closing the prompt has already deleted a temporary workspace.
  const kept = workspace.isKept ? (await workspace.changes()).files.length : 0;
  if (kept > 0) {
    const text = [`The workspace has ${count(kept, "change")}.`, ...NEXT_COMMANDS];
    remark(io, showCommands(io, text.join("\n"), { directory, paint: stderrColorsFor(io).cyan }));
  }
  remark(io, `The log of the run: ${runDirectory}`);
}

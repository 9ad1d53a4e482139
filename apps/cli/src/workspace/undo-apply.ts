import {
  type AppliedChanges,
  type ApplyConflict,
  isApplyConflictError,
  type Workspace,
} from "@wink/workspace";
import { confirm } from "../terminal/ask.js";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { colorsFor, say, sayJson } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { showApplying } from "../view/show-applying.js";
import { conflictLines } from "./conflict-lines.js";
import { decline } from "./decline.js";

export interface UndoApplyOptions {
  readonly yes: boolean;
  readonly json: boolean;
  /** Only these files, directories and globs. Empty means everything. */
  readonly paths: readonly string[];
}

/** Asks, undoes the last apply, and prints the result. */
export async function undoApply(
  io: Io,
  workspace: Workspace,
  { yes, json, paths: given }: UndoApplyOptions,
): Promise<void> {
  const { directory } = workspace;
  const last = workspace.applied.at(-1);
  if (last === undefined)
    throw new CliError(`Nothing to undo in ${directory}.`, {
      hint: "Only `wink apply`, `wink run --apply` and `wink mcp --in-place` can be undone.",
    });
  const paths =
    given.length === 0 ? undefined : given.map((path) => workspace.pathOf(path, io.cwd));
  const what =
    paths === undefined
      ? count(last.written.length + last.deleted.length, "change")
      : `a part of ${count(last.written.length + last.deleted.length, "change")}`;
  const question = `Undo ${what} applied to ${directory} at ${shownTime(last)}?`;
  let { written, deleted } = last;
  if (!(await confirm(io, { question, yes }))) {
    const outcome = { directory, undone: false, written, deleted, conflicts: [] };
    return decline(io, { json, outcome, sentence: "Nothing was undone." });
  }
  const tell = (undone: boolean, conflicts: readonly ApplyConflict[], text: string) =>
    json ? sayJson(io, { directory, undone, written, deleted, conflicts }) : say(io, text);
  io.status.show("undoing", what);
  try {
    const onProgress = showApplying(io.status, "undoing");
    const { undoToken } = last;
    ({ written, deleted } = await workspace.undo({ paths, undoToken, onProgress }));
    const undone = count(written.length + deleted.length, "change");
    tell(true, [], `${undone} undone in ${directory}, and kept in the workspace.`);
  } catch (error) {
    if (!isApplyConflictError(error)) throw error;
    io.exitCode = EXIT_CODES.refused;
    const lines = conflictLines(error.conflicts, colorsFor(io)).map((line) => `  ${line}`);
    tell(false, error.conflicts, ["Nothing was undone:", "", ...lines].join("\n"));
  }
}

function shownTime({ appliedAt }: AppliedChanges): string {
  return `${appliedAt.replace("T", " ").split(".", 1)[0]} UTC`;
}

import {
  type ApplyReport,
  type ApplyWorkspaceOptions,
  isApplyConflictError,
  type Workspace,
} from "@wink/workspace";
import { confirm } from "../terminal/ask.js";
import { showCommands } from "../terminal/command-name.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { colorsFor, remark, say, sayJson, stderrColorsFor } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { changeLines } from "../view/change-lines.js";
import { colorPatch } from "../view/color-patch.js";
import { showApplying } from "../view/show-applying.js";
import { chooseHunks } from "./choose-hunks.js";
import { conflictLines } from "./conflict-lines.js";
import { decline } from "./decline.js";

export interface ApplyCommandOptions {
  readonly onConflict: "refuse" | "merge";
  readonly dryRun?: boolean | undefined;
  readonly yes?: boolean | undefined;
  /** Ask for each hunk. */
  readonly interactive?: boolean | undefined;
}

interface Outcome extends Omit<ApplyReport, "undoToken"> {
  readonly directory: string;
  readonly applied: boolean;
}

/** Shows the changes, asks, applies them and prints the result. */
export async function applyChanges(
  io: Io,
  workspace: Workspace,
  {
    onConflict,
    dryRun = false,
    yes = false,
    interactive = false,
    paths: given,
    json,
  }: ApplyCommandOptions & { readonly json: boolean; readonly paths: readonly string[] },
): Promise<void> {
  const paths =
    given.length === 0 ? undefined : given.map((path) => workspace.pathOf(path, io.cwd));
  const hunks = interactive ? await chooseHunks(io, await workspace.diff({ paths })) : undefined;
  const selected: ApplyWorkspaceOptions = { onConflict, paths, hunks };
  const planned = await workspace.apply({ ...selected, dryRun: true });
  const tell = (report: ApplyReport, applied: boolean) => {
    const outcome = outcomeOf(workspace, report, applied);
    if (json) sayJson(io, outcome);
    else say(io, render(io, outcome, { dryRun, onConflict }));
  };
  if (planned.conflicts.length > 0) io.exitCode = EXIT_CODES.refused;
  const isNothing = planned.written.length + planned.deleted.length === 0;
  if (dryRun || isNothing || planned.conflicts.length > 0) {
    // If there is nothing to write, the directory already has every change. Apply records that in
    // the workspace.
    if (!dryRun && planned.conflicts.length === 0) await workspace.apply(selected);
    tell(planned, false);
    return;
  }
  if (!yes && !interactive) await showChanges(io, workspace, paths);
  const what = count(planned.written.length + planned.deleted.length, "change");
  const question = `Apply ${what} to ${workspace.directory}?`;
  const showDiff = async () => {
    const patch = await workspace.toPatch({ paths });
    remark(io, colorPatch(patch, stderrColorsFor(io)));
  };
  if (!(await confirm(io, { question, yes: yes || interactive, showDiff }))) {
    const outcome = outcomeOf(workspace, planned, false);
    return decline(io, { json, outcome, sentence: "Nothing was applied." });
  }
  io.status.show("applying", what);
  try {
    const onProgress = showApplying(io.status, "applying");
    tell(await workspace.apply({ ...selected, onProgress }), true);
  } catch (error) {
    // The directory changed while the question was open.
    if (!isApplyConflictError(error)) throw error;
    io.exitCode = EXIT_CODES.refused;
    tell({ ...planned, conflicts: error.conflicts }, false);
  }
}

function outcomeOf(
  { directory }: Workspace,
  { undoToken: _, ...report }: ApplyReport,
  applied: boolean,
): Outcome {
  return { directory, applied, ...report };
}

async function showChanges(
  io: Io,
  workspace: Workspace,
  paths: readonly string[] | undefined,
): Promise<void> {
  if (!io.isTerminal) return;
  const { files } = await workspace.changes({ paths });
  for (const line of changeLines(files, stderrColorsFor(io))) remark(io, line);
}

function render(
  io: Io,
  { directory, applied, written, deleted, merged, outside, conflicts }: Outcome,
  { dryRun, onConflict }: Pick<ApplyCommandOptions, "dryRun" | "onConflict">,
): string {
  const colors = colorsFor(io);
  const commands = (text: string) => showCommands(io, text, { directory, paint: colors.cyan });
  const what = count(written.length + deleted.length, "change");
  if (conflicts.length > 0)
    return [
      `Nothing ${dryRun ? "would be" : "was"} applied to ${directory}:`,
      "",
      ...conflictLines(conflicts, colors).map((line) => `  ${line}`),
      "",
      onConflict === "merge"
        ? commands(
            "Both sides changed the same lines. Make them equal in the directory, or use the patch of `wink diff`.",
          )
        : commands(
            "Review: `wink diff`\nCombine changes of different lines: `wink apply --on-conflict merge`",
          ),
    ].join("\n");
  if (written.length + deleted.length === 0)
    return `Nothing to apply: ${directory} already has every change.`;
  const notes = [
    ...(merged.length > 0 ? [`${count(merged.length, "file")} merged: ${merged.join(", ")}.`] : []),
    ...(outside.length > 0
      ? [`Not applied, because they are outside of the directory: ${outside.join(", ")}.`]
      : []),
  ];
  if (!applied) return [`${what} would be applied to ${directory}.`, ...notes].join("\n");
  return [`${what} applied to ${directory}.`, ...notes, commands("Undo: `wink undo`")].join("\n");
}

import { writeFile } from "node:fs/promises";
import { isApplyConflictError } from "@wink/workspace";
import { confirm } from "../terminal/ask.js";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark, stderrColorsFor } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { colorPatch } from "../view/color-patch.js";
import type { RunReport } from "./run-report.js";
import type { RunChanges, RunWorkspace } from "./run-workspace.js";

export interface SettleChangesOptions {
  readonly changes: RunChanges;
  /** Apply without asking. */
  readonly apply: boolean;
  /** Where to write the patch. */
  readonly patchFile: string | undefined;
  /** Whether a person can be asked. */
  readonly mayAsk: boolean;
}

/** Applies, writes or keeps the changes of a run, as the options or the person decide. */
export async function settleChanges(
  io: Io,
  workspace: RunWorkspace,
  { changes, apply, patchFile, mayAsk }: SettleChangesOptions,
): Promise<RunReport["kept"]> {
  if (patchFile !== undefined) await writeFile(patchFile, changes.patch);
  if (changes.files.length === 0) return "none";
  if (apply || (mayAsk && patchFile === undefined && (await wantsApply(io, workspace, changes)))) {
    io.status.show("applying", count(changes.files.length, "change"));
    await applyAll(workspace);
    return "applied";
  }
  if (patchFile !== undefined) return "patch";
  return workspace.isKept ? "workspace" : "nowhere";
}

async function wantsApply(io: Io, workspace: RunWorkspace, changes: RunChanges): Promise<boolean> {
  const what = count(changes.files.length, "change");
  const question = `Apply ${what} to ${workspace.directory}?`;
  const showDiff = async () => remark(io, colorPatch(changes.patch, stderrColorsFor(io)));
  return await confirm(io, { question, yes: false, showDiff });
}

async function applyAll(workspace: RunWorkspace): Promise<void> {
  try {
    await workspace.apply();
  } catch (error) {
    if (!isApplyConflictError(error)) throw error;
    const paths = error.conflicts.map(({ path }) => path).join(", ");
    throw new CliError(`Nothing was applied. Files that changed in the directory: ${paths}.`, {
      exitCode: EXIT_CODES.refused,
      hint: workspace.isKept
        ? "The changes are in the workspace: `wink apply --on-conflict merge` combines both sides."
        : "Run it again, with --patch to keep the changes.",
      directory: workspace.directory,
      cause: error,
    });
  }
}

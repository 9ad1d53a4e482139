import { writeFile } from "node:fs/promises";
import type { ChangeSet } from "@wink/filesystem";
import { isApplyConflictError } from "@wink/workspace";
import { confirm } from "../terminal/ask.js";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { remark, stderrColorsFor } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { colorPatch } from "../view/color-patch.js";
import { showApplying } from "../view/show-applying.js";
import type { Settled } from "./run-report.js";
import type { RunWorkspace } from "./run-workspace.js";

export interface SettleChangesOptions {
  readonly changes: ChangeSet;
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
): Promise<Settled> {
  if (patchFile !== undefined) await writeFile(patchFile, await changes.toPatch());
  if (changes.isEmpty) {
    await workspace.keep();
    return { kept: "none", ...NOT_APART };
  }
  if (apply || (mayAsk && patchFile === undefined && (await wantsApply(io, workspace, changes)))) {
    io.status.show("applying", count(changes.files.length, "change"));
    await applyAll(io, workspace);
    await workspace.keep();
    return { kept: "applied", ...NOT_APART };
  }
  const outcome = await workspace.keep();
  if (outcome === undefined) return { kept: patchFile ? "patch" : "nowhere", ...NOT_APART };
  const { line = null, conflicts } = outcome;
  if (line !== null) return { kept: "line", line, conflicts };
  return { kept: patchFile ? "patch" : "workspace", line, conflicts };
}

const NOT_APART = { line: null, conflicts: [] } as const;

async function wantsApply(io: Io, workspace: RunWorkspace, changes: ChangeSet): Promise<boolean> {
  const what = count(changes.files.length, "change");
  const question = `Apply ${what} to ${workspace.directory}?`;
  const showDiff = async () => remark(io, colorPatch(await changes.toPatch(), stderrColorsFor(io)));
  return await confirm(io, { question, yes: false, showDiff });
}

async function applyAll(io: Io, workspace: RunWorkspace): Promise<void> {
  try {
    await workspace.apply({ onProgress: showApplying(io.status, "applying") });
  } catch (error) {
    if (!isApplyConflictError(error)) throw error;
    const outcome = await workspace.keep();
    if (outcome?.line !== undefined)
      remark(io, `The changes are kept as the line ${outcome.line}.`);
    const paths = error.conflicts.map(({ path }) => path).join(", ");
    throw new CliError(`Nothing was applied. Files that changed in the directory: ${paths}.`, {
      exitCode: EXIT_CODES.refused,
      hint:
        outcome === undefined
          ? "Run it again, with --patch to keep the changes."
          : "The changes are in the workspace: `wink apply --on-conflict merge` combines both sides.",
      directory: workspace.directory,
      cause: error,
    });
  }
}

import { isApplyConflictError, type Workspace } from "@wink/workspace";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { colorsFor, say, sayJson } from "../terminal/print.js";
import { count } from "../view/amounts.js";
import { conflictLines } from "./conflict-lines.js";

export interface CommitCommandOptions {
  readonly branch: string;
  readonly message?: string | undefined;
  readonly onConflict: "refuse" | "merge";
  readonly json: boolean;
}

/** Commits the changes to a branch and prints the result. */
export async function commitChanges(
  io: Io,
  workspace: Workspace,
  { branch, message = `Apply changes of wink`, onConflict, json }: CommitCommandOptions,
): Promise<void> {
  const { directory } = workspace;
  try {
    const report = await workspace.commit({ branch, message: `${message}\n`, onConflict });
    if (json) return sayJson(io, { directory, ...report, commitId: report.commitId ?? null });
    const { commitId, written, deleted, outside } = report;
    if (commitId === undefined) return say(io, `Nothing to commit to ${branch}.`);
    const what = count(written.length + deleted.length, "change");
    say(
      io,
      `${what} committed to ${branch} as ${commitId.slice(0, 12)}. ${directory} did not change.`,
    );
    if (outside.length > 0) say(io, `Not committed: ${outside.join(", ")}.`);
  } catch (error) {
    if (!isApplyConflictError(error)) throw error;
    io.exitCode = EXIT_CODES.refused;
    if (json) return sayJson(io, { directory, branch, commitId: null, conflicts: error.conflicts });
    say(io, `Nothing was committed. These files differ on ${branch}:`);
    for (const line of conflictLines(error.conflicts, colorsFor(io))) say(io, `  ${line}`);
  }
}

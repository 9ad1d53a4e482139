import type { Agent } from "../agent/agent.js";
import type { Io } from "../terminal/io.js";
import { remark, stderrColorsFor } from "../terminal/print.js";
import { oneLine } from "../terminal/terminal-text.js";
import { count, size } from "../view/amounts.js";
import type { MountedFiles, RunWorkspace } from "./run-workspace.js";

export interface AnnounceRunOptions {
  readonly file: string;
  readonly agent: Pick<Agent, "description">;
  readonly model: string;
  readonly workspace: RunWorkspace;
}

/** Prints the agent, the directory, and which files the agent does not see. */
export function announceRun(
  io: Io,
  { file, agent: { description }, model, workspace: { directory, mounted } }: AnnounceRunOptions,
): void {
  const colors = stderrColorsFor(io);
  const about =
    description === undefined ? "" : `  ${oneLine(description, Math.max(20, io.columns - 30))}`;
  remark(io, `  ${colors.bold(oneLine(file, 40))}${about}`);
  const files = mounted && ` (${count(mounted.fileCount, "file")}, ${size(mounted.totalBytes)})`;
  remark(io, colors.dim(`  model ${model}, on a copy of ${directory}${files ?? ""}`));
  const leftOut = mounted === undefined ? "" : describeLeftOut(mounted);
  if (leftOut !== "") remark(io, colors.dim(`  not copied: ${leftOut}`));
  remark(io);
}

/**
 * `12 ignored, 2 secret`. The files of a Git repository are never copied, so they are not counted.
 */
function describeLeftOut({ leftOut }: MountedFiles): string {
  const counts = new Map<string, number>();
  for (const { reason } of leftOut) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  counts.delete("git");
  return [...counts]
    .map(([reason, amount]) => `${amount.toLocaleString("en-GB")} ${reason}`)
    .join(", ");
}

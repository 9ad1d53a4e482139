import type { Agent } from "@wink/adapters";
import { showCommands } from "../terminal/command-name.js";
import type { Io } from "../terminal/io.js";
import { remark, stderrColorsFor } from "../terminal/print.js";
import { clipPath, oneLine, stringWidth } from "../terminal/terminal-text.js";
import { count, size } from "../view/amounts.js";
import { countLeftOut } from "../view/left-out.js";
import type { RunWorkspace } from "./run-workspace.js";

export interface AnnounceRunOptions {
  readonly file: string;
  readonly agent: Pick<Agent, "description">;
  readonly model: string;
  readonly workspace: RunWorkspace;
}

/** Prints the agent, the directory, and which files the agent does not see. */
export function announceRun(
  io: Io,
  { file, agent: { description = "" }, model, workspace }: AnnounceRunOptions,
): void {
  const { bold, dim } = stderrColorsFor(io);
  const { backend, directory, copied, isKept } = workspace;
  const name = clipPath(file, 40);
  const about = oneLine(description, Math.max(20, io.columns - stringWidth(name) - 2));
  remark(io, `${bold(name)}  ${about}`.trimEnd());
  const files = copied && ` (${count(copied.fileCount, "file")}, ${size(copied.totalBytes)})`;
  const what = backend === "overlay" ? "through an overlay of" : "on a copy of";
  remark(io, dim(`model ${model}, ${what} ${directory}${files ?? ""}`));
  const leftOut = countLeftOut(copied?.leftOut ?? []);
  if (leftOut !== "") remark(io, dim(`not copied: ${leftOut}`));
  const list = "  `wink changes --not-copied` lists them";
  if (leftOut !== "" && isKept) remark(io, dim(showCommands(io, list, { directory })));
  remark(io);
}

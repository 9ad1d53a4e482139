import { confirm } from "../terminal/ask.js";
import type { Io } from "../terminal/io.js";
import { say, sayJson } from "../terminal/print.js";
import { decline } from "./decline.js";
import { openWorkspace, withErrors } from "./open-workspace.js";

export interface DiscardLineOptions {
  readonly line: string;
  readonly yes: boolean;
  readonly json: boolean;
}

/** Asks, and deletes a line with its changes. */
export async function discardLine(
  io: Io,
  directory: string,
  { line, yes, json }: DiscardLineOptions,
): Promise<void> {
  const { env, status } = io;
  await using workspace = await openWorkspace(directory, { env, status });
  const applies = await withErrors(workspace.directory, env, async () => {
    await using opened = await workspace.lines.open(line);
    return opened.applied.length;
  });
  const lost = applies === 0 ? "" : " Its applied changes can no longer be undone.";
  const question = `Delete the line ${line} with its changes?${lost}`;
  if (!(await confirm(io, { question, yes }))) {
    const outcome = { directory, deleted: null };
    return decline(io, { json, outcome, sentence: "Nothing was deleted." });
  }
  await withErrors(workspace.directory, env, () => workspace.lines.delete(line));
  if (json) sayJson(io, { directory: workspace.directory, deleted: line });
  else say(io, `The line ${line} is deleted.${lost}`);
}

import type { ToolContext } from "@wink/prompt";
import { RunCommand } from "../events/file-events.js";
import { authorOf } from "./file-tool-settings.js";

/** A command can touch more files than anybody wants to read of. */
const MOST_PATHS = 5_000;
const LONGEST_COMMAND = 4_000;

/** What was touched by something that is no file tool, by path. */
export interface DirectChanges {
  readonly changed: readonly { readonly path: string; readonly sizeBytes: number }[];
  readonly removed: readonly string[];
}

export interface RecordOptions extends DirectChanges {
  readonly workspace: string;
  readonly tool: string;
  readonly command: string;
  readonly exitCode: number | undefined;
}

/** Tells the session what a command did. */
export function recordCommand(
  { workspace, tool, command, exitCode, changed, removed }: RecordOptions,
  context: ToolContext,
): void {
  const named = changed.slice(0, MOST_PATHS);
  const gone = removed.slice(0, MOST_PATHS);
  context.session.dispatch(
    RunCommand({
      ...authorOf(workspace, tool, context),
      command: command.slice(0, LONGEST_COMMAND).toWellFormed(),
      exitCode: exitCode ?? null,
      changed: named.map(({ path, sizeBytes }) => ({ path: path.toWellFormed(), sizeBytes })),
      removed: gone.map((path) => path.toWellFormed()),
      unnamed: changed.length + removed.length - named.length - gone.length,
    }),
  );
}

/** The same without what git keeps for itself: nobody reads that. */
export function withoutGit({ changed, removed }: DirectChanges): DirectChanges {
  const isOwn = (path: string) => !path.split("/").includes(".git");
  return { changed: changed.filter(({ path }) => isOwn(path)), removed: removed.filter(isOwn) };
}

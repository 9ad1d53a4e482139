import type { ToolContext } from "@wink/prompt";
import { RunCommand } from "../events/file-events.js";
import { authorOf } from "./file-tool-settings.js";

/** A command can change any number of files, so an event names only the first ones. */
const MAX_PATHS = 5_000;
const MAX_COMMAND_CHARACTERS = 4_000;

/** Files that a command or program changed without a file tool. */
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

/** Records a command and its changes in the session. */
export function recordCommand(
  { workspace, tool, command, exitCode, changed, removed }: RecordOptions,
  context: ToolContext,
): void {
  const named = changed.slice(0, MAX_PATHS);
  const gone = removed.slice(0, MAX_PATHS);
  context.session.dispatch(
    RunCommand({
      ...authorOf(workspace, tool, context),
      command: command.slice(0, MAX_COMMAND_CHARACTERS).toWellFormed(),
      exitCode: exitCode ?? null,
      changed: named.map(({ path, sizeBytes }) => ({ path: path.toWellFormed(), sizeBytes })),
      removed: gone.map((path) => path.toWellFormed()),
      unnamed: changed.length + removed.length - named.length - gone.length,
    }),
  );
}

/** Removes paths in `.git` directories, which are of no use to a reader. */
export function withoutGit({ changed, removed }: DirectChanges): DirectChanges {
  const isOwn = (path: string) => !path.split("/").includes(".git");
  return { changed: changed.filter(({ path }) => isOwn(path)), removed: removed.filter(isOwn) };
}

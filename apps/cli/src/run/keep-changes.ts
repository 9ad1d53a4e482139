import type { ChangeSet } from "@wink/filesystem";
import type { RunOutcome } from "@wink/workspace";
import type { Io } from "../terminal/io.js";
import { openWorkspace } from "../workspace/open-workspace.js";
import type { OpenRunWorkspaceOptions } from "./run-workspace.js";

/** Saves the changes of a temporary copy in the workspace of the directory. Without changes it makes no workspace. */
export async function keepChanges(
  io: Io,
  { directory, filter }: OpenRunWorkspaceOptions,
  changes: ChangeSet,
): Promise<RunOutcome | undefined> {
  if (changes.isEmpty) return undefined;
  const { env, status } = io;
  status.show("saving the changes");
  await using workspace = await openWorkspace(directory, { ...filter, env, create: true, status });
  return await workspace.keep(changes);
}

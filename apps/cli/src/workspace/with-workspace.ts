import { dirname, resolve } from "node:path";
import { Workspace } from "@wink/workspace";
import type { Io } from "../terminal/io.js";
import { openWorkspace, withErrors } from "./open-workspace.js";
import { stateDirectory } from "./state-directory.js";
import type { WorkspaceOption } from "./workspace-option.js";

/** Opens the workspace for a command, runs the work and closes the workspace. */
export async function withWorkspace<T>(
  io: Io,
  option: WorkspaceOption,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const directory = directoryOf(io, option);
  const { env, status } = io;
  await using workspace = await openWorkspace(directory, { env, status, line: option.line });
  status.show("reading the workspace");
  return await withErrors(workspace.directory, env, () => work(workspace));
}

/** The directory for a command. */
export function directoryOf(io: Io, { workspace }: WorkspaceOption): string {
  return workspace === undefined ? nearest(io) : resolve(io.cwd, workspace);
}

/**
 * Searches the parent directories like git, so that commands work in a subdirectory of the project.
 */
function nearest({ cwd, env }: Io): string {
  for (let at = cwd; ; at = dirname(at)) {
    if (hasWorkspace(at, env)) return at;
    if (at === dirname(at)) return cwd;
  }
}

/** A parent directory that contains the state directory, such as the home directory, has none. */
function hasWorkspace(directory: string, env: Io["env"]): boolean {
  try {
    return Workspace.find(directory, { stateDirectory: stateDirectory(env) }).exists;
  } catch {
    return false;
  }
}

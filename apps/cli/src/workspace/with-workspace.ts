import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { openWorkspace } from "./open-workspace.js";
import type { Workspace } from "./workspace.js";
import type { WorkspaceOption } from "./workspace-option.js";
import { findPlace } from "./workspace-place.js";

/** Opens the workspace for a command, runs the work and closes the workspace. */
export async function withWorkspace<T>(
  io: Io,
  option: WorkspaceOption,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const directory = await directoryOf(io, option);
  const { env, status } = io;
  await using workspace = await openWorkspace(directory, { env, status });
  status.show("reading the workspace");
  return await work(workspace);
}

/** The directory for a command. */
export async function directoryOf(io: Io, { workspace }: WorkspaceOption): Promise<string> {
  return workspace === undefined ? await nearest(io) : resolve(io.cwd, workspace);
}

/**
 * Searches the parent directories like git, so that commands work in a subdirectory of the project.
 */
async function nearest(io: Io): Promise<string> {
  for (let at = io.cwd; ; at = dirname(at)) {
    const place = await findPlace(at, io.env).catch((error: unknown) => {
      // A parent directory that contains the state directory, such as the home directory, cannot
      // have a workspace.
      if (error instanceof CliError && error.exitCode === EXIT_CODES.usage) return undefined;
      throw error;
    });
    if (place !== undefined && existsSync(place.record)) return at;
    if (at === dirname(at)) return io.cwd;
  }
}

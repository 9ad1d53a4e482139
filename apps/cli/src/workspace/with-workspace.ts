import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { openWorkspace } from "./open-workspace.js";
import type { Workspace } from "./workspace.js";
import type { WorkspaceOption } from "./workspace-option.js";
import { findPlace } from "./workspace-place.js";

/** Opens the workspace that a command line means, does the work and closes it. */
export async function withWorkspace<T>(
  io: Io,
  option: WorkspaceOption,
  work: (workspace: Workspace) => Promise<T>,
): Promise<T> {
  const directory = await directoryOf(io, option);
  await using workspace = await openWorkspace(directory, { env: io.env });
  return await work(workspace);
}

/** The directory that a command line means. */
export async function directoryOf(io: Io, { workspace }: WorkspaceOption): Promise<string> {
  return workspace === undefined ? await nearest(io) : resolve(io.cwd, workspace);
}

/** As git finds its repository: whoever has gone into a folder means the project all the same. */
async function nearest(io: Io): Promise<string> {
  for (let at = io.cwd; ; at = dirname(at)) {
    const place = await findPlace(at, io.env).catch((error: unknown) => {
      // A directory above may hold the state directory, as a home does, and cannot have a workspace.
      if (error instanceof CliError && error.exitCode === EXIT_CODES.usage) return undefined;
      throw error;
    });
    if (place !== undefined && existsSync(place.record)) return at;
    if (at === dirname(at)) return io.cwd;
  }
}

import { constants, existsSync } from "node:fs";
import { access, mkdir, stat, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { exportCassette } from "@wink/adapters/run";
import { Workspace } from "@wink/workspace";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { stateDirectory } from "../workspace/state-directory.js";

/** Creates the directory that stores a new run on `directory`. */
export function newRunDirectory({ env }: Io, directory: string): string {
  return Workspace.find(directory, { stateDirectory: stateDirectory(env) }).runs.create();
}

/** Resolves `--log`. The directory is for one run: a second one would start with the state of the first. */
export function newLogDirectory(io: Io, given: string): string {
  const path = resolve(io.cwd, given);
  if (!existsSync(path)) return path;
  throw new CliError(`${given} already exists.`, {
    exitCode: EXIT_CODES.refused,
    hint: "Name another directory for --log. Without --log, the run is stored with the workspace.",
  });
}

/**
 * Resolves `--patch` or `--record` and creates the directory. This happens before the run, so that
 * you do not pay for a run whose result cannot be saved.
 */
export async function placeForFile(
  io: Io,
  option: string,
  given: string | undefined,
): Promise<string | undefined> {
  if (given === undefined) return undefined;
  const path = resolve(io.cwd, given);
  try {
    await mkdir(dirname(path), { recursive: true });
    if (!existsSync(path)) await access(dirname(path), constants.W_OK);
    else if ((await stat(path)).isDirectory()) throw new Error("it is a directory");
    else await access(path, constants.W_OK);
    return path;
  } catch (cause) {
    throw new CliError(`${option} cannot be written to ${given}.`, {
      exitCode: EXIT_CODES.usage,
      hint: "Name a file in a directory that you may write to.",
      cause,
    });
  }
}

/**
 * Writes the recording of a run, also if it failed. It contains everything that the model saw, so only the user may
 * read it.
 */
export async function keepRecording(runDirectory: string, path: string): Promise<void> {
  await writeFile(path, await exportCassette(runDirectory), { mode: 0o600 });
}

import { existsSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { Workspace } from "@wink/workspace";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { stateDirectory } from "./state-directory.js";

/** Whether a directory is a recorded run. */
export function isRun(path: string): boolean {
  return existsSync(join(path, "session.jsonl"));
}

/** The recorded runs on a user's directory, newest first. */
export function runsOn(io: Io, directory: string): readonly string[] {
  return find(io, directory).runs.list().filter(isRun);
}

/** The path of a file or directory, or of a run on a user's directory by its id. `undefined` if it does not exist. */
export function findNamed(io: Io, name: string, directory: string): string | undefined {
  const path = resolve(io.cwd, name);
  if (existsSync(path)) return path;
  if (!existsSync(resolve(io.cwd, directory))) return undefined;
  return runsOn(io, directory).find((run) => basename(run) === name);
}

/** The error of a command that needs a run on a directory without one. */
export function noRunYet(io: Io, directory: string, hint: string): CliError {
  return new CliError(`No run yet on ${find(io, directory).directory}.`, {
    exitCode: EXIT_CODES.usage,
    hint,
  });
}

function find(io: Io, directory: string) {
  return Workspace.find(resolve(io.cwd, directory), { stateDirectory: stateDirectory(io.env) });
}

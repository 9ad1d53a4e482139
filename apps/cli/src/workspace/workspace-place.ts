import { createHash } from "node:crypto";
import { mkdir, realpath, stat } from "node:fs/promises";
import { basename, join, relative } from "node:path";
import { CliError } from "../terminal/cli-error.js";
import { EXIT_CODES } from "../terminal/exit-codes.js";
import type { Io } from "../terminal/io.js";
import { stateDirectory } from "./state-directory.js";

/** The paths of a directory's workspace. */
export interface WorkspacePlace {
  /** The real path of the directory. */
  readonly directory: string;
  /** The parent of all paths below. */
  readonly home: string;
  /** The copy that agents work on. */
  readonly files: string;
  /** The copy in progress. */
  readonly incoming: string;
  readonly store: string;
  /** Journals and pre-images of applied changes. */
  readonly applied: string;
  /**
   * The workspace record, a session log. The process that has it open holds the workspace's lock.
   */
  readonly record: string;
  readonly sessions: string;
}

/**
 * Finds the paths by the real path, so that a directory has one workspace for all its names.
 * Creates nothing.
 */
export async function findPlace(given: string, env: Io["env"]): Promise<WorkspacePlace> {
  const directory = await realDirectory(given);
  const state = stateDirectory(env);
  const home = join(state, "workspaces", keyOf(directory));
  const realState = await realpath(state).catch(() => state);
  for (const path of [state, realState])
    if (isWithin(path, directory))
      throw new CliError(`The state directory ${path} is inside of ${directory}.`, {
        exitCode: EXIT_CODES.usage,
        hint: "Set WINK_STATE_DIR to a directory outside of the one to work on.",
      });
  return {
    directory,
    home,
    files: join(home, "files"),
    incoming: join(home, "incoming"),
    store: join(home, "store"),
    applied: join(home, "applied"),
    record: join(home, "workspace.jsonl"),
    sessions: join(home, "sessions"),
  };
}

/** Creates missing directories, accessible only to the user. */
export async function makePlace({ home, files, applied, sessions }: WorkspacePlace): Promise<void> {
  try {
    for (const path of [home, files, applied, sessions])
      await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw new CliError(`${home} cannot be created for the workspace.`, {
      exitCode: EXIT_CODES.unavailable,
      hint: "Set WINK_STATE_DIR to a directory of your own; `wink doctor` shows the problem.",
      cause,
    });
  }
}

/** The real path of a directory that the user named. */
export async function realDirectory(given: string): Promise<string> {
  try {
    const directory = await realpath(given);
    if ((await stat(directory)).isDirectory()) return directory;
  } catch (cause) {
    throw new CliError(`Directory ${given} does not exist.`, { exitCode: EXIT_CODES.usage, cause });
  }
  throw new CliError(`${given} is not a directory.`, { exitCode: EXIT_CODES.usage });
}

/** Readable for people who look into the state directory, and unique per path. */
function keyOf(directory: string): string {
  const name = basename(directory)
    .replace(/[^A-Za-z0-9._-]+/g, "-")
    .replace(/^[.-]+/, "")
    .slice(0, 40);
  const hash = createHash("sha256").update(directory).digest("hex").slice(0, 16);
  return `${name || "root"}-${hash}`;
}

function isWithin(path: string, directory: string): boolean {
  const way = relative(directory, path);
  return way === "" || (way !== ".." && !way.startsWith("../"));
}
